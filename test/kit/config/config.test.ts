import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig } from '../../../src/kit/config/config.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const keys = { JWT_KEY: key, ENCRYPTION_KEY: key };

/** The problems of an environment, in order. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...keys, ...env });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function aFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-config-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

describe('readConfig', () => {
  it('has a default for every variable', () => {
    const config = readConfig({ ...keys });
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: path.resolve('.data'),
      databaseUrl: null,
      databaseDirectUrl: null,
      focusRoot: null,
      rateLimits: { auth: 20, read: 100, write: 30, report: 5, export: 10 },
      breachedPasswords: null,
      sessionIdleMs: 604_800_000,
      registration: 'open',
      trustProxy: false,
      corsOrigins: [],
      persistedOperations: null,
      syncCron: '0 */6 * * *',
      engine: { memoryMiB: 512, threads: Math.min(8, os.availableParallelism()), timeoutMs: 30_000 },
      facts: {
        place: { kind: 'folder', folder: path.resolve('.data/facts') },
        cacheMiB: 10_240,
        azureStorageKey: null,
      },
      tls: null,
      production: false,
    });
  });

  it('reads GraphQL documents by id from a file', () => {
    const file = path.join(aFolder(), 'operations.json');
    fs.writeFileSync(file, JSON.stringify({ abc: '{ me { role } }' }));
    expect(readConfig({ ...keys, PERSISTED_OPERATIONS: file }).persistedOperations).toEqual(
      new Map([['abc', '{ me { role } }']]),
    );
    fs.writeFileSync(file, '["{ me { role } }"]');
    for (const unusable of [file, `${file}.absent`]) {
      expect(problemsOf({ PERSISTED_OPERATIONS: unusable })).toEqual([
        `PERSISTED_OPERATIONS: "${unusable}" is invalid; set it to a readable JSON file with an object of GraphQL documents by id`,
      ]);
    }
  });

  it('accepts a model with the settings its provider needs, and names missing ones', () => {
    const compatible = {
      AI_PROVIDER: 'openai_compatible',
      AI_MODEL: 'm',
      AI_BASE_URL: 'https://models.example.com/v1/',
    };
    const ai = { provider: 'openai_compatible', model: 'm', apiKey: null, timeoutMs: 30_000 };
    expect(readConfig({ ...keys, ...compatible }).ai).toEqual({ ...ai, baseUrl: 'https://models.example.com/v1' });
    expect(readConfig({ ...keys }).ai).toBeNull();
    expect(problemsOf({ AI_PROVIDER: 'openai_compatible' })).toEqual([
      expect.stringMatching(/^AI_MODEL: missing/),
      expect.stringMatching(/^AI_BASE_URL: missing/),
    ]);
    expect(problemsOf({ AI_PROVIDER: 'anthropic', AI_MODEL: 'm' })).toEqual([
      expect.stringMatching(/^AI_API_KEY: missing/),
    ]);
    expect(problemsOf({ AI_MODEL: 'm' })).toEqual([expect.stringMatching(/^AI_PROVIDER: missing/)]);
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ ...keys, PORT: '', FOCUS_ROOT: '  ' })).toMatchObject({ port: 3000, focusRoot: null });
  });

  it.each([
    ['PORT', '80a', 'PORT: "80a" is invalid; set it to a whole number from 0 to 65535'],
    ['PORT', '65536', 'PORT: "65536" is invalid; set it to a whole number from 0 to 65535'],
    ['RATE_LIMIT_READ', '0', 'RATE_LIMIT_READ: "0" is invalid; set it to a whole number from 1 to 1000000'],
    ['REGISTRATION', 'closed', 'REGISTRATION: "closed" is invalid; set it to open, invite or first'],
    [
      'SYNC_CRON',
      '* * *',
      'SYNC_CRON: "* * *" is invalid; set it to five cron fields in UTC, such as "0 */6 * * *", or to "off"',
    ],
    [
      'SYNC_CRON',
      '0 0 30 2 *',
      'SYNC_CRON: "0 0 30 2 *" is invalid; its day does not exist; set it to five cron fields in UTC, such as "0 */6 * * *", or to "off"',
    ],
    ['SMTP_URL', 'smtp://', 'SMTP_URL: its value is invalid; set it to a URL such as smtp://user:password@host:587'],
    ['REDIS_URL', 'redis://', 'REDIS_URL: its value is invalid; set it to a URL such as redis://host:6379'],
    [
      'AZURE_LOGIN_ENDPOINT',
      'http://login.example.com',
      'AZURE_LOGIN_ENDPOINT: "http://login.example.com" is invalid; set it to a URL that begins with https://',
    ],
    ['PUBLIC_URL', 'costs', 'PUBLIC_URL: "costs" is invalid; set it to a URL such as https://costs.example.com'],
    ...['https://example.com/costs/', 'https://example.com?a=b', 'https://a:b@example.com'].map((value) => [
      'PUBLIC_URL',
      value,
      `PUBLIC_URL: "${value.replace('a:b', '***')}" is invalid; set it to a URL without a path, such as https://costs.example.com`,
    ]),
    ['NODE_ENV', 'prod', 'NODE_ENV: "prod" is invalid; set it to production, development or test'],
    [
      'METRICS_TOKEN',
      'two words',
      'METRICS_TOKEN: its value is invalid; set it to printable ASCII characters without spaces, such as the output of: openssl rand -hex 32',
    ],
    [
      'TRUST_PROXY',
      'true',
      'TRUST_PROXY: "true" is invalid; set it to a number of proxies, or to their addresses, such as "loopback, 10.0.0.0/8"',
    ],
    [
      'CORS_ORIGINS',
      'https://a.example/',
      'CORS_ORIGINS: "https://a.example/" is invalid; set it to comma-separated origins, such as https://a.example,https://b.example',
    ],
    [
      'MAIL_FROM',
      'Costkeep',
      'MAIL_FROM: "Costkeep" is invalid; set it to an address such as "Costkeep <costkeep@example.com>"',
    ],
    ...['https://chat.example.com', '*'].map((value) => [
      'WEBHOOK_HOSTS',
      value,
      `WEBHOOK_HOSTS: "${value}" is invalid; set it to host names in lower case, each with its port unless that is 443, ` +
        'comma-separated, such as chat.example.com:8443',
    ]),
    ...['http://rates.example.com/hist.csv', 'https://user:secret@rates.example.com/hist.csv', 'on'].map((value) => [
      'EXCHANGE_RATES',
      value,
      `EXCHANGE_RATES: "${value.replace('user:secret', '***')}" is invalid; set it to off, ecb, forbidden, or an https URL of a file in the format of the European Central Bank`,
    ]),
    ['TLS_CERT', '/cert.pem', 'TLS_KEY: missing; set both TLS_CERT and TLS_KEY, or neither'],
  ])('rejects %s=%s and says why', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem]);
  });

  it.each([
    ['/srv/facts/', { kind: 'folder', folder: '/srv/facts' }],
    ['file:///srv/my%20facts', { kind: 'folder', folder: '/srv/my facts' }],
    ['s3://costs', { kind: 's3', bucket: 'costs', prefix: '' }],
    ['s3://costs.example/a/b/', { kind: 's3', bucket: 'costs.example', prefix: 'a/b' }],
    ['azure://costs/facts/a', { kind: 'azure', account: 'costs', container: 'facts', prefix: 'a' }],
  ])('reads FACTS_URL=%s', (value, place) => {
    expect(readConfig({ ...keys, FACTS_URL: value }).facts.place).toEqual(place);
  });

  it.each(['DATABASE_URL', 'JWT_KEY', 'ENCRYPTION_KEY', 'REDIS_URL', 'SMTP_URL'])(
    'never shows the value of %s',
    (name) => {
      const [problem] = problemsOf({ [name]: 'hunter2' });
      expect(problem).toMatch(new RegExp(`^${name}: its value is invalid; set it to `));
      expect(problem).not.toContain('hunter2');
    },
  );

  it('reports all problems at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'loud' })).toHaveLength(2);
  });

  it.each([
    ['2', 2],
    ['0', false],
    ['loopback, 10.0.0.0/8', 'loopback,10.0.0.0/8'],
    ['::1', '::1'],
  ])('reads TRUST_PROXY=%s', (value, expected) => {
    expect(readConfig({ ...keys, TRUST_PROXY: value }).trustProxy).toBe(expected);
  });

  it.each(['10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/'])('rejects TRUST_PROXY=%s', (value) => {
    expect(() => readConfig({ ...keys, TRUST_PROXY: value })).toThrow(/^TRUST_PROXY: ".*" is invalid; set it to/m);
  });

  it.each(['EXCHANGE_RATES', 'PUBLIC_URL', 'CORS_ORIGINS', 'AWS_ENDPOINT'])(
    'does not repeat a password in %s',
    (name) => {
      const read = () => readConfig({ ...keys, [name]: 'https://me:hunter2@rates.example/a b' });
      expect(read).toThrow(`${name}: "https://***@rates.example/a b" is invalid`);
      expect(read).not.toThrow(/hunter2/);
    },
  );

  it('reads the current key first, older keys after it', () => {
    const old = Buffer.alloc(32, 1);
    const { encryptionKeys } = readConfig({ ...keys, ENCRYPTION_KEY: `${key}, ${old.toString('base64')}` });
    expect(encryptionKeys.map((bytes) => bytes[0])).toEqual([7, 1]);
  });

  it.each(['mail@example.com', 'Costkeep <mail@example.com>', '"Costs, kept" <mail@example.com>'])(
    'accepts MAIL_FROM=%s',
    (value) => {
      expect(readConfig({ ...keys, MAIL_FROM: value }).mailFrom).toBe(value);
    },
  );

  it('rejects a missing certificate', () => {
    expect(problemsOf({ TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' })).toEqual([
      expect.stringMatching(/^TLS_CERT, TLS_KEY: cannot be used \(ENOENT: .*cert\.pem'\); set them to the PEM files/),
    ]);
  });

  it('turns on downloads of exchange rates by default only if configured', () => {
    const ratesOf = (value?: string) => readConfig({ ...keys, EXCHANGE_RATES: value }).exchangeRates;
    const url = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip';
    expect(ratesOf()).toEqual({ url, isDefault: false });
    expect(ratesOf('off')).toEqual(ratesOf());
    expect(ratesOf('ecb')).toEqual({ url, isDefault: true });
    expect(ratesOf('forbidden')).toEqual({ url: null, isDefault: false });
    const own = 'https://rates.example.com/hist.csv';
    expect(ratesOf(own)).toEqual({ url: own, isDefault: true });
  });

  it('disables automatic syncs', () => {
    expect(readConfig({ ...keys, SYNC_CRON: 'off' }).syncCron).toBeNull();
  });
});

describe('keys', () => {
  it('are generated once, readable only by their owner', () => {
    const folder = aFolder();
    const first = readConfig({ DATA_DIR: folder });
    const second = readConfig({ DATA_DIR: folder });
    expect(second.jwtKeys).toEqual(first.jwtKeys);
    expect(first.jwtKeys[0]).toHaveLength(32);
    expect(first.jwtKeys).not.toEqual(first.encryptionKeys);
    expect(fs.statSync(path.join(folder, 'jwt.key')).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder).toSorted()).toEqual(['encryption.key', 'jwt.key']);
  });

  it.each(['file', 'file/below'])('require a usable data folder: %s', (name) => {
    const folder = aFolder();
    fs.writeFileSync(path.join(folder, 'file'), '');
    expect(() => readConfig({ DATA_DIR: path.join(folder, name) })).toThrow(
      /^DATA_DIR: .*file.* cannot be used \(.*\); set it to a folder that the server can write to$/,
    );
  });

  it.runIf(process.platform === 'linux')('cannot be generated where no folder can be created', () => {
    expect(() => readConfig({ DATA_DIR: '/proc/costkeep' })).toThrow(/^DATA_DIR: \/proc\/costkeep cannot be used/);
  });

  it('are not replaced when their file is damaged', () => {
    const folder = aFolder();
    fs.writeFileSync(path.join(folder, 'jwt.key'), 'short\n');
    expect(() => readConfig({ DATA_DIR: folder })).toThrow(
      `${folder}/jwt.key does not contain keys of 32 bytes in base64; restore it from a backup`,
    );
  });

  it('must be set in production with DATABASE_URL, and the error shows how to generate them', () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/costkeep' };
    expect(problemsOf({ ...env, JWT_KEY: '', ENCRYPTION_KEY: '' })).toEqual([
      'JWT_KEY: missing, but required in production with DATABASE_URL; set it to the output of: openssl rand -base64 32',
      'ENCRYPTION_KEY: missing, but required in production with DATABASE_URL; set it to the output of: openssl rand -base64 32',
    ]);
    expect(problemsOf(env)).toEqual([]);
  });
});
