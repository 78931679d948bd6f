import { expect, it } from 'vitest';
import {
  agentName,
  invoicedMoney,
  shortMoney,
  signedInvoicedMoney,
  unitMoneyOf,
} from '../../../src/console/words/format.ts';
import { expiresAt, expiryFault } from '../../../src/console/settings/tokens/expiry.ts';
import { wantedOf } from '../../../src/console/sign-in/wanted-of.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, 'Edge on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15) ${webkit} SamsungBrowser/28.0 Chrome/130 Safari/537.36`,
    'Samsung Internet on Android',
  ],
  ['curl/8.14.1', 'curl'],
  ['MyScript/2.0 (internal)', 'MyScript'],
  ['', 'Unknown program'],
])('calls %s %s', (userAgent, name) => {
  expect(agentName(userAgent)).toBe(name);
});

it.each([
  [0, '$0'],
  [0.25, '$0.25'],
  [0.15000000000000002, '$0.15'],
  [-0.025, '-$0.025'],
  [1.5, '$1.5'],
  [7500, '$7.5K'],
])('writes %d on an axis as %s', (value, text) => {
  expect(shortMoney(value, 'USD')).toBe(text);
});

it('ends a token at the end of the day in its owner’s time zone, no earlier than tomorrow', () => {
  const now = new Date(2026, 10, 22, 10, 30);
  expect(expiresAt('30', '', now)).toBe(new Date(2026, 11, 22, 23, 59, 59).toISOString());
  expect(expiresAt('day', '2027-02-28', now)).toBe(new Date(2027, 1, 28, 23, 59, 59).toISOString());
  expect(expiresAt('never', '2027-02-28', now)).toBeNull();
  expect(expiryFault('day', '2026-11-22', now)).toBe('Choose a day after today');
  expect(expiryFault('day', '2026-11-23', now)).toBeNull();
  expect(expiryFault('day', '2026-02-30', now)).toBe('Choose a day');
  expect(expiryFault('90', '', now)).toBeNull();
});

it.each([
  ['/costs', '?groupBy=SERVICE', '/costs?groupBy=SERVICE'],
  ['/tags/keys/100%25%3F', '', '/tags/keys/100%25%3F'],
  ['//evil.example/x', '', '/'],
  ['/login', '?next=%2Fcosts%3Fpage%3D2', '/costs?page=2'],
  ['/login', '?next=%2F%2Fevil.example', '/'],
  ['/login', '?next=%2F%5Cevil.example', '/'],
  ['/login', '?next=https%3A%2F%2Fevil.example', '/'],
  ['/login', '?next=/%09/evil.example', '/'],
  ['/login', '?next=/x/..//evil.example', '/'],
  ['/login', '?next=javascript:alert(1)', '/'],
  ['/login', '?next=/docs', '/docs'],
  ['/login', '?next=/tags/keys/a/b', '/tags/keys/a/b'],
  ['/login', '?next=/api/v1/costs', '/'],
  ['/login', '?next=/docs/../metrics', '/'],
  ['/login', '?next=/graphql%3Fquery%3D%7Bme%7Brole%7D%7D', '/'],
  ['/register', '', '/'],
])('leads from a login at %s%s to %s', (path, search, wanted) => {
  expect(wantedOf(path, search, ['/', '/costs', '/tags/keys/*'])).toBe(wanted);
});

it.each([
  [
    [0.0199, 0.02, 0.0214, null],
    ['$0.0199', '$0.0200', '$0.0214', '$0.0000'],
  ],
  [
    [1.5, 2, null],
    ['$1.50', '$2.00', '$0.00'],
  ],
  [
    [12.5, 0.125],
    ['$12.500', '$0.125'],
  ],
])('writes the costs per unit %j of a column as %j', (values, texts) => {
  expect(values.map((value) => unitMoneyOf(values, 'USD')(value ?? 0))).toEqual(texts);
});

it('writes amounts of invoices with their decimals also in currencies without any', () => {
  expect([0.5, 0.51, 1].map((value) => signedInvoicedMoney(value, 'JPY'))).toEqual(['+¥0.5', '+¥0.51', '+¥1']);
  expect(invoicedMoney(159_960.5, 'JPY')).toBe('¥159,960.5');
  expect([invoicedMoney(0.5, 'USD'), invoicedMoney(1234, 'USD')]).toEqual(['$0.50', '$1,234.00']);
});
