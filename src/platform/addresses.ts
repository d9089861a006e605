import ipaddr from 'ipaddr.js';

const PREFIX_BYTES = 8;

/**
 * Whom an address stands for where something is counted by address: one of IPv4 for itself, one of IPv6 for its /64,
 * which is what a provider gives to one customer. A text that is no address stands for itself.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, PREFIX_BYTES)).toString('hex')}/64`;
}
