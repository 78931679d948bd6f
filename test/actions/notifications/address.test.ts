import type { LookupFunction } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  AddressRefusedError,
  checkedLookup,
  checkLiteral,
  kindOf,
} from '../../../src/actions/notifications/webhook/address.ts';
import { parseWebhookUrl } from '../../../src/actions/notifications/webhook/url.ts';

const strict = { allowsPrivate: false, isEncrypted: true };

describe('An address is', () => {
  test.each([
    '3.5.140.2',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('public: %s', (address) => expect(kindOf(address)).toBe('public'));

  test.each([
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
  ])('private: %s', (address) => expect(kindOf(address)).toBe('private'));

  test.each([
    ['the metadata service', '169.254.169.254'],
    ['the same, mapped', '::ffff:169.254.169.254'],
    ['the same, in hexadecimal', '::ffff:a9fe:a9fe'],
    ['the same, behind NAT64', '64:ff9b::a9fe:a9fe'],
    ['that of AWS over IPv6', 'fd00:ec2::254'],
    ['that of AWS, spelled out', 'fd00:0ec2:0:0:0:0:0:254'],
    ['that of Azure', '168.63.129.16'],
    ['that of Alibaba', '100.100.100.200'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['of documentation', '192.0.2.1'],
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
  ])('forbidden: %s', (_name, address) => expect(kindOf(address)).toBe('forbidden'));
});

/** A lookup that answers these. */
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

describe('A name', () => {
  test('is connected to where all its addresses are public', async () => {
    expect(await looked(strict, '3.5.140.2', '2606:4700::1111')).toEqual([
      { address: '3.5.140.2', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test('is refused as a whole where one of them is not', async () => {
    const refused = await looked(strict, '3.5.140.2', '169.254.169.254');
    expect(refused).toBeInstanceOf(AddressRefusedError);
    expect(String(refused)).toContain('it leads to an address that is not public');
  });

  test('is refused where it has none', async () => {
    expect(await looked(strict)).toBeInstanceOf(AddressRefusedError);
  });

  test('may lead into the own network where the operator allows it, but never to its credentials', async () => {
    const own = { allowsPrivate: true, isEncrypted: false };
    expect(await looked(own, '10.0.0.7')).toEqual([{ address: '10.0.0.7', family: 4 }]);
    expect(await looked(own, '169.254.169.254')).toBeInstanceOf(AddressRefusedError);
    expect(String(await looked(own, '3.5.140.2'))).toContain('a public address without encryption');
  });

  test('is asked for once where the connection asks for one address', async () => {
    const one = await new Promise((resolve) => {
      checkedLookup(strict, answering('3.5.140.2'))('chat.example', {}, (error, address, family) =>
        resolve([error, address, family]),
      );
    });
    expect(one).toEqual([null, '3.5.140.2', 4]);
  });
});

describe('The address of a webhook', () => {
  test.each(['https://hooks.slack.com/services/T0/B0/x', ' https://chat.example:8443/hooks/1 '])('may be %s', (url) => {
    expect(parseWebhookUrl(url, { allowsPrivate: false })).toBe(url.trim());
  });

  test.each([
    ['http', 'http://hooks.slack.com/services/secret'],
    ['a file', 'file:///etc/secret'],
    ['no address', 'secret'],
    ['empty', ''],
    ['with a password', 'https://secret:secret@chat.example/'],
    ['loopback', 'https://127.0.0.1/secret'],
    ['loopback as a number', 'https://2130706433/secret'],
    ['loopback in hexadecimal', 'https://0x7f.1/secret'],
    ['loopback in octal', 'https://0177.0.0.1/secret'],
    ['loopback, IPv6', 'https://[::1]/secret'],
    ['mapped', 'https://[::ffff:127.0.0.1]/secret'],
    ['metadata', 'https://169.254.169.254/latest/secret'],
    ['too long', `https://chat.example/${'x'.repeat(2_000)}secret`],
  ])('may not be %s, and is not repeated', (_name, url) => {
    const refusal = refusalOf(() => parseWebhookUrl(url, { allowsPrivate: false }));
    expect(refusal).toMatch(/^url (must|cannot)/);
    expect(refusal).not.toContain('secret');
  });

  test('may be plain http in the own network where the operator allows it, and nowhere else', () => {
    const own = { allowsPrivate: true };
    expect(parseWebhookUrl('http://10.0.0.7:8065/hooks/1', own)).toBe('http://10.0.0.7:8065/hooks/1');
    expect(refusalOf(() => parseWebhookUrl('http://8.8.8.8/hooks/1', own))).toContain('without encryption');
    expect(refusalOf(() => parseWebhookUrl('https://169.254.169.254/', own))).toContain('not public');
  });

  test('that is a literal is checked without asking anybody', () => {
    expect(() => checkLiteral('[fe80::1]', strict)).toThrow(AddressRefusedError);
    expect(() => checkLiteral('chat.example', strict)).not.toThrow();
  });
});

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}
