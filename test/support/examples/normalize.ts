import type { Recorded } from './recorder.ts';
import { machineDay, referenceInstant } from './reference-date.ts';

const mostItems = 2;

/** The header and up to two rows of CSV; quoted cells may contain line breaks. */
const csvLines = /^(?:(?:"(?:[^"]|"")*"|[^"\r\n])*\r?\n){1,3}/;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** A placeholder for each secret, which shows its format. */
const secrets: Readonly<Record<string, string>> = {
  access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJleGFtcGxlIjp0cnVlfQ.c2lnbmF0dXJl',
  refresh_token: 'AZqMHlWqcB6DpXWn3sV5yK8uQ2tRfJ0eLxGzNcMvHbTaSdPw',
  challenge_token: 'c2FtcGxlLWNoYWxsZW5nZS10b2tlbi1vZi1hLWxvZ2lu',
  link: 'https://costs.example.com/invite?token=c2FtcGxlLWludml0ZS10b2tlbi1vZi1hLWxpbmstdG8tcGFzcy1vbg',
  invite_token: 'c2FtcGxlLWludml0ZS10b2tlbg',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauth_uri: 'otpauth://totp/Costkeep:lee%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Costkeep',
  password: 'plum kite orbit',
  new_password: 'amber lake violin',
  url: 'https://hooks.slack.com/services/T000/B000/XXXX',
  attestationObject: 'o2NmbXRkbm9uZQ',
  authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  signature: 'MEUCIQDsYW1wbGU',
  challenge: 'c2FtcGxlLWNoYWxsZW5nZQ',
  userHandle: 'AZqMHlWqcB6DpXWn3sV5yA',
  last_four: 'oXi5',
  qr_svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 490 490"><path d="M40,40h10v10h-10z"/></svg>',
  sha256: '28150f5452aa785ae536eae4cad8bc6310de0b576bf0fe364f1593f128cbba67',
};

/** Numbers that differ in each recording: compressed files by a few bytes, and the progress of an evaluation. */
const varying: Readonly<Record<string, number>> = { size_bytes: 48_213, evaluated_percent: 100 };

/** Makes recorded calls reproducible, short and free of secrets: ids are numbered, timestamps have one time of day,
 *  lists have at most two items, and CSV files at most two rows. */
export function normalized(recorded: Readonly<Record<string, Recorded>>): unknown {
  const ids = new Map<string, string>();
  const text = (value: string) => replaced(value, ids);
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string' && key === 'text/csv') return text(firstLines(value));
    if (typeof value === 'string' && key === 'application/json') return JSON.stringify(walk(JSON.parse(value), ''));
    if (typeof value === 'string') return secretOf(key, value) ?? text(value);
    if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => walk(item, key));
    if (typeof value === 'number') return varying[key] ?? value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, name)]));
  };
  const entries = Object.entries(recorded).sort(([a], [b]) => (a < b ? -1 : 1));
  return walk(Object.fromEntries(entries), '');
}

function firstLines(csv: string): string {
  return csvLines.exec(csv)?.[0] ?? csv;
}

function secretOf(key: string, value: string): string | undefined {
  if (key === 'token')
    return value.startsWith('svc_') ? 'svc_7Qx2mT9kLpV4sWcB8nZrJd3yHfG6aUeK1oXi5' : 'c2FtcGxlLXRva2Vu';
  if (key === 'recovery_codes' || (key === 'code' && !/^\d{6}$/.test(value))) return 'k7qp2-9xwhm';
  if (key === 'code') return '492039';
  if (value.startsWith('whsec_')) return 'whsec_c2FtcGxlLXNpZ25pbmctc2VjcmV0LW9mLWEtd2ViaG9vaw==';
  // Ids of passkeys and their users in Base64; UUIDs have 36 characters.
  if (/^(?:[\w-]{22}|[\w-]{40,})$/.test(value) && ['id', 'rawId'].includes(key)) return 'c2FtcGxlLWNyZWRlbnRpYWwtaWQ';
  return Object.hasOwn(secrets, key) ? secrets[key] : undefined;
}

function replaced(value: string, ids: Map<string, string>): string {
  return (
    value
      .replaceAll(uuid, (id) => {
        const known = ids.get(id) ?? `019a8c2e-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
        ids.set(id, known);
        return known;
      })
      // A timestamp at midnight is the start of a billing or charge period.
      .replaceAll(/(\d{4}-\d{2}-\d{2})T(?!00:00:00(?:\.0+)?Z)[\d:.]+Z/g, (_instant, day: string) =>
        day === machineDay ? referenceInstant : `${day}${referenceInstant.slice(10)}`,
      )
      .replaceAll(/http:\/\/(localhost|127\.0\.0\.1):\d+/g, 'https://costs.example.com')
      .replace(/^localhost$/, 'costs.example.com')
  );
}
