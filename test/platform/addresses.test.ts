import { addressKey, networkKey } from '../../src/platform/http/addresses.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '20010db800010002/64'],
  ['2001:db8:1:2::', '20010db800010002/64'],
  ['2001:db8:1:3::', '20010db800010003/64'],
  ['::1', '0000000000000000/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('gives the key of %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

it.each([
  ['192.0.2.1', 'c00002/24'],
  ['::ffff:192.0.2.255', 'c00002/24'],
  ['2001:db8:1:2:3:4:5:6', '20010db80001/48'],
  ['2001:db8:1:3::', '20010db80001/48'],
  ['2001:db8:2::', '20010db80002/48'],
  ['', ''],
  ['unknown', 'unknown'],
])('gives the network of %s', (address, key) => {
  expect(networkKey(address)).toBe(key);
});
