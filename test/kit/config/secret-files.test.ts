import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { readSecretFiles } from '../../../src/kit/config/secret-files.ts';
import { SECRET_VARIABLES } from '../../../src/kit/config/variables.ts';
import { readSettings } from '../../../src/mcp/settings.ts';

/** Writes a file with a secret.
 *  @returns its path */
function aFile(content: string, name = 'secret'): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-secret-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

const read = (env: Record<string, string>) => readSecretFiles(env, SECRET_VARIABLES);
const key = Buffer.alloc(32, 7).toString('base64');

describe('readSecretFiles', () => {
  it.each([...SECRET_VARIABLES])('reads %s from a file, without the last line break', (name) => {
    expect(read({ [`${name}_FILE`]: aFile('hunter2\n') })).toMatchObject({ env: { [name]: 'hunter2' }, problems: [] });
  });

  it.each([
    ['a b\r\n', 'a b'],
    ['two\nlines\n\n', 'two\nlines\n'],
    [' kept ', ' kept '],
  ])('reads %j as %j', (content, secret) => {
    expect(read({ METRICS_TOKEN_FILE: aFile(content) }).env['METRICS_TOKEN']).toBe(secret);
  });

  it('names variable and path of a file that cannot be used, and never shows its content', () => {
    const [empty, large] = [aFile('\n'), aFile('hunter2'.repeat(10_000))];
    const folder = path.dirname(empty);
    const problemOf = (file: string) => read({ SMTP_URL_FILE: file }).problems;
    expect(problemOf(empty)).toEqual([`SMTP_URL_FILE: "${empty}" is empty; write the secret into it`]);
    expect(problemOf(large)).toEqual([
      `SMTP_URL_FILE: "${large}" has more than 64 KiB; set it to the path of a file with only the secret`,
    ]);
    expect(problemOf(folder)).toEqual([
      `SMTP_URL_FILE: "${folder}" is not a file; set it to the path of a file with the secret`,
    ]);
    expect(problemOf('/absent/secret')).toEqual([
      'SMTP_URL_FILE: "/absent/secret" cannot be read (ENOENT); set it to the path of a readable file',
    ]);
  });

  it('rejects a secret that is given twice', () => {
    expect(read({ REDIS_URL: 'redis://a', REDIS_URL_FILE: aFile('redis://b') }).problems).toEqual([
      'REDIS_URL_FILE: is set together with REDIS_URL; set only one of them',
    ]);
    expect(read({ REDIS_URL: ' ', REDIS_URL_FILE: aFile('redis://b') })).toMatchObject({
      env: { REDIS_URL: 'redis://b' },
      problems: [],
    });
  });
});

describe('secrets in files', () => {
  it('configure the server, and are checked like variables', () => {
    const files = { JWT_KEY_FILE: aFile(`${key}\n`), ENCRYPTION_KEY_FILE: aFile(key) };
    const config = readConfig({ ...files, METRICS_TOKEN_FILE: aFile('sesame\n') });
    expect(config).toMatchObject({ metricsToken: 'sesame', jwtKeys: [Buffer.alloc(32, 7)] });
    expect(() => readConfig({ ...files, DATABASE_URL_FILE: aFile('hunter2') })).toThrow(
      /^DATABASE_URL: its value is invalid; set it to a URL such as [^\n]*$/,
    );
  });

  it('are not called missing if their file cannot be read', () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://a/b', ENCRYPTION_KEY: key };
    expect(() => readConfig({ ...env, JWT_KEY_FILE: '/absent' })).toThrow(
      /^JWT_KEY_FILE: "\/absent" cannot be read \(ENOENT\)[^\n]*$/,
    );
  });

  it('configure the MCP server', () => {
    expect(readSettings({ SVC_API_TOKEN_FILE: aFile('svc_abc123\n') }, 'stdio').token).toBe('svc_abc123');
    expect(() => readSettings({ SVC_API_TOKEN_FILE: '/absent' }, 'stdio')).toThrow(
      /^SVC_API_TOKEN_FILE: "\/absent" cannot be read \(ENOENT\)[^\n]*$/,
    );
  });
});

describe('COSTKEEP_INIT variables', () => {
  const keys = { JWT_KEY: key, ENCRYPTION_KEY: key };
  const whole = () => ({
    COSTKEEP_INIT_ORGANIZATION: 'Plum',
    COSTKEEP_INIT_EMAIL: 'ana@example.com',
    COSTKEEP_INIT_PASSWORD_FILE: aFile('plum kite orbit\n'),
  });

  it('are absent by default, and name the Super Admin after their address', () => {
    expect(readConfig(keys).init).toBeNull();
    expect(readConfig({ ...keys, ...whole() }).init).toEqual({
      organization: 'Plum',
      email: 'ana@example.com',
      name: 'ana',
      password: 'plum kite orbit',
      token: null,
    });
  });

  it('must be complete and spelled correctly', () => {
    expect(() => readConfig({ ...keys, COSTKEEP_INIT_EMAIL: 'a@example.com', COSTKEEP_INIT_ORG: 'Plum' })).toThrow(
      [
        'COSTKEEP_INIT_ORG: unknown variable; use COSTKEEP_INIT_ORGANIZATION, COSTKEEP_INIT_EMAIL, COSTKEEP_INIT_NAME, COSTKEEP_INIT_PASSWORD, COSTKEEP_INIT_TOKEN',
        'COSTKEEP_INIT_ORGANIZATION: missing, although other COSTKEEP_INIT_ variables are set; set it, or unset them',
        'COSTKEEP_INIT_PASSWORD: missing, although other COSTKEEP_INIT_ variables are set; set it, or unset them',
      ].join('\n'),
    );
  });
});
