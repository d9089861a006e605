import ipaddr from 'ipaddr.js';

const CUSTOMER_BYTES = 8;
const SITE_BYTES = 6;
const IPV4_NETWORK_BYTES = 3;

/**
 * The key by which an address is counted: an IPv4 address itself, or the /64 of an IPv6 address, which a provider gives
 * to one customer. A text that is not an address is its own key.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : beginning(parsed, CUSTOMER_BYTES);
}

/** The network of an address, of which one person may have many: the /24 of IPv4, the /48 of IPv6. */
export function networkKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return beginning(parsed, parsed.kind() === 'ipv4' ? IPV4_NETWORK_BYTES : SITE_BYTES);
}

const beginning = (address: ipaddr.IPv4 | ipaddr.IPv6, bytes: number): string =>
  `${Buffer.from(address.toByteArray().slice(0, bytes)).toString('hex')}/${bytes * 8}`;
