import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseWebhookUrl } from '../../../src/actions/notifications/webhook/address.ts';
import { AddressRefusedError, checkedLookup, checkLiteral, kindOf } from '../../../src/kit/network/reach.ts';

const strict = { allowsPrivate: false, isEncrypted: true };

describe('kindOf', () => {
  it.each([
    '3.5.140.2',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('classifies as public: %s', (address) => expect(kindOf(address)).toBe('public'));

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd12:3456::1',
    '::ffff:127.0.0.1',
    '::ffff:10.1.2.3',
    '64:ff9b::a00:1',
  ])('classifies as private: %s', (address) => expect(kindOf(address)).toBe('private'));

  it.each([
    ['metadata service', '169.254.169.254'],
    ['metadata service, IPv4-mapped', '::ffff:169.254.169.254'],
    ['metadata service, IPv4-mapped, hexadecimal', '::ffff:a9fe:a9fe'],
    ['metadata service, NAT64', '64:ff9b::a9fe:a9fe'],
    ['AWS metadata service, IPv6', 'fd00:ec2::254'],
    ['AWS metadata service, IPv6, uncompressed', 'fd00:0ec2:0:0:0:0:0:254'],
    ['Google Cloud metadata service, IPv6', 'fd20:ce::254'],
    ['Azure metadata service', '168.63.129.16'],
    ['Alibaba metadata service', '100.100.100.200'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['unspecified, IPv6', '::'],
    ['link-local, IPv6', 'fe80::1'],
    ['multicast, IPv6', 'ff02::1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:1::'],
    ['IPv4-compatible', '::7f00:1'],
    ['translated (RFC 6145)', '::ffff:0:127.0.0.1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['site-local', 'fec0::1'],
    ['no address', 'localhost'],
  ])('classifies as forbidden: %s', (_name, address) => expect(kindOf(address)).toBe('forbidden'));
});

/** A lookup that returns the given addresses. */
function answering(...addresses: string[]): LookupFunction {
  return (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
}

function looked(reach: typeof strict, ...addresses: string[]) {
  return new Promise((resolve) => {
    checkedLookup(reach, answering(...addresses))('chat.example', { all: true }, (error, found) =>
      resolve(error ?? found),
    );
  });
}

describe('checkedLookup', () => {
  it('accepts a name whose addresses are all public', async () => {
    expect(await looked(strict, '3.5.140.2', '2606:4700::1111')).toEqual([
      { address: '3.5.140.2', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('rejects a name if any of its addresses is not public', async () => {
    const refused = await looked(strict, '3.5.140.2', '169.254.169.254');
    expect(refused).toBeInstanceOf(AddressRefusedError);
    expect(String(refused)).toContain('its host resolves to an address that is not public');
  });

  it('rejects a name without addresses', async () => {
    expect(await looked(strict)).toBeInstanceOf(AddressRefusedError);
  });

  it('allows private addresses if configured, but never metadata services or unencrypted public ones', async () => {
    const own = { allowsPrivate: true, isEncrypted: false };
    expect(await looked(own, '10.0.0.7')).toEqual([{ address: '10.0.0.7', family: 4 }]);
    expect(await looked(own, '169.254.169.254')).toBeInstanceOf(AddressRefusedError);
    expect(String(await looked(own, '3.5.140.2'))).toContain('a public address without encryption');
  });

  it('returns one address if the connection asks for one', async () => {
    const one = await new Promise((resolve) => {
      checkedLookup(strict, answering('3.5.140.2'))('chat.example', {}, (error, address, family) =>
        resolve([error, address, family]),
      );
    });
    expect(one).toEqual([null, '3.5.140.2', 4]);
  });
});

/** A resolver for which the name does not exist. */
const unknown: LookupFunction = (_hostname, _options, callback) =>
  callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), '');

describe('the URL of a webhook', () => {
  const strictly = { allowPrivateWebhooks: false, webhookHosts: [] };
  const slack = 'https://hooks.slack.com/services/T0/B0/x';

  it('is accepted if it is https at a public host, even if the host does not resolve now', async () => {
    expect(await parseWebhookUrl(` ${slack}#x `, strictly, answering('3.5.140.2'))).toBe(slack);
    expect(await parseWebhookUrl('https://hooks.slack.com:443/x', strictly, unknown)).toBe('https://hooks.slack.com/x');
  });

  it.each([
    ['http', 'http://hooks.slack.com/services/secret', 'must be an https URL'],
    ['a file URL', 'file:///etc/secret', 'must be an https URL'],
    ['not a URL', 'secret', 'must be an https URL'],
    ['empty', '', 'must be an https URL'],
    ['a URL with a password', 'https://secret:secret@chat.example/', 'must not contain a user name'],
    ['a URL with another port', 'https://chat.example:8443/secret', 'must use port 443, not 8443'],
    ['a public address', 'https://8.8.8.8/secret', 'not an IP address'],
    ['loopback', 'https://127.0.0.1/secret', 'not an IP address'],
    ['loopback as a number', 'https://2130706433/secret', 'not an IP address'],
    ['loopback in hexadecimal', 'https://0x7f.1/secret', 'not an IP address'],
    ['loopback in octal', 'https://0177.0.0.1/secret', 'not an IP address'],
    ['loopback, IPv6', 'https://[::1]/secret', 'not an IP address'],
    ['loopback, IPv4-mapped', 'https://[::ffff:127.0.0.1]/secret', 'not an IP address'],
    ['the metadata service', 'https://169.254.169.254/latest/secret', 'not an IP address'],
    ['localhost', 'https://localhost/secret', 'must name a public host'],
    ['a single-label name', 'https://chat/secret', 'must name a public host'],
    ['a private domain', 'https://metadata.google.internal/secret', 'must name a public host'],
    ['a private domain with a trailing dot', 'https://printer.local./secret', 'must name a public host'],
    ['a URL that is too long', `https://chat.example/${'x'.repeat(2_000)}secret`, 'must be an https URL'],
  ])('is rejected without being repeated: %s', async (_name, url, reason) => {
    const refusal = await refusalOf(parseWebhookUrl(url, strictly, unknown));
    expect(refusal).toMatch(/^url (must|cannot)/);
    expect(refusal).toContain(reason);
    expect(refusal).not.toContain('secret');
  });

  it('is rejected if a public name resolves to a private address', async () => {
    const refusal = await refusalOf(parseWebhookUrl(slack, strictly, answering('3.5.140.2', '10.0.0.7')));
    expect(refusal).toBe('url cannot be used: its host resolves to an address that is not public');
  });

  it('accepts hosts and ports listed by the operator, over https only', async () => {
    const listed = { allowPrivateWebhooks: false, webhookHosts: ['chat.internal:8443', '10.0.0.7'] };
    const url = 'https://chat.internal:8443/hooks/1';
    expect(await parseWebhookUrl(url, listed, answering('10.0.0.7'))).toBe(url);
    expect(await parseWebhookUrl('https://10.0.0.7/hooks/1', listed)).toBe('https://10.0.0.7/hooks/1');
    expect(await refusalOf(parseWebhookUrl('https://chat.internal/hooks/1', listed))).toContain('a public host');
    expect(await refusalOf(parseWebhookUrl('http://10.0.0.7/hooks/1', listed))).toContain('an https URL');
    expect(await refusalOf(parseWebhookUrl(url, listed, answering('169.254.169.254')))).toContain('not public');
  });

  it('accepts plain http to private addresses if configured, and nowhere else', async () => {
    const own = { allowPrivateWebhooks: true, webhookHosts: [] };
    expect(await parseWebhookUrl('http://10.0.0.7:8065/hooks/1', own)).toBe('http://10.0.0.7:8065/hooks/1');
    expect(await refusalOf(parseWebhookUrl('http://8.8.8.8/hooks/1', own))).toContain('without encryption');
    expect(await refusalOf(parseWebhookUrl('https://169.254.169.254/', own))).toContain('not public');
  });

  it('is checked without a lookup if its host is an IP address', () => {
    expect(() => checkLiteral('[fe80::1]', strict)).toThrow(AddressRefusedError);
    expect(() => checkLiteral('chat.example', strict)).not.toThrow();
  });
});

async function refusalOf(act: Promise<unknown>): Promise<string> {
  const refused = await act.then(
    () => null,
    (error: unknown) => error,
  );
  return refused instanceof Error ? refused.message : '';
}
