import { networkOf } from '../../src/platform/http/inbound/client-address.js';

describe('networkOf', () => {
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['2001:db8::5:6:7:8', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('takes of %s the first 64 bits', (address, network) => expect(networkOf(address)).toBe(network));

  it.each([
    ['2001:0DB8:0001:0002::', '2001:db8:1::/48'],
    ['2001:db8::9', '2001:db8:0::/48'],
    ['192.0.2.1', '192.0.2.1'],
  ])('takes of %s the first 48 bits for a site', (address, site) => expect(networkOf(address, 48)).toBe(site));

  it.each(['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:201', '64:ff9b::192.0.2.1', 'unknown'])(
    'leaves %s whole',
    (address) => expect(networkOf(address)).toBe(address),
  );
});
