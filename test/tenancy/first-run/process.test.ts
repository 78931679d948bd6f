import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { newToken } from '../../../src/tenancy/tokens/run.ts';
import { anInstallation, callApi, runProgram } from '../../support/programs.ts';

const init = {
  REGISTRATION: 'first',
  LOG_LEVEL: 'info',
  COSTKEEP_INIT_ORGANIZATION: 'Plum',
  COSTKEEP_INIT_EMAIL: 'Ana@Example.com',
  COSTKEEP_INIT_PASSWORD: 'plum kite orbit',
};
const credentials = { email: 'ana@example.com', password: 'plum kite orbit' };

describe('COSTKEEP_INIT variables', { timeout: 240_000 }, () => {
  it('create an organization, its Super Admin and a token, once', async () => {
    const { env, folder, query } = await anInstallation(inject('postgres').template);
    const token = newToken();
    const file = path.join(folder, 'token');
    writeFileSync(file, `${token}\n`);
    const server = runProgram(['serve'], { ...env, ...init, COSTKEEP_INIT_TOKEN_FILE: file });
    const url = await server.url;
    expect(server.output()).toContain('The organization of COSTKEEP_INIT_ORGANIZATION was created');

    const login = await callApi(url, ['POST', '/auth/login'], { body: credentials });
    expect(login).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    expect(await callApi(url, ['GET', '/org'], { token })).toMatchObject({ status: 200, body: { name: 'Plum' } });
    const renamed = await callApi(url, ['PATCH', '/org'], { token, body: { name: 'Plum Ltd' } });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Plum Ltd' } });
    const stranger = { email: 'eve@example.com', password: 'kite orbit plum', name: 'Eve', organization_name: 'Eve' };
    expect(await callApi(url, ['POST', '/auth/register'], { body: stranger })).toMatchObject({ status: 403 });
    expect(await query('SELECT name, role FROM users u JOIN memberships m ON m.user_id = u.id')).toEqual([
      { name: 'Ana', role: 'super_admin' },
    ]);
    const audited = `SELECT action, actor_email, user_agent FROM audit_entries WHERE user_agent = 'COSTKEEP_INIT' ORDER BY id`;
    expect(await query(audited)).toEqual([
      { action: 'user_registered', actor_email: 'ana@example.com', user_agent: 'COSTKEEP_INIT' },
      { action: 'api_token_created', actor_email: 'ana@example.com', user_agent: 'COSTKEEP_INIT' },
    ]);
    expect(await server.stop()).toBe(0);
    expect(server.output()).not.toContain(token);
    expect(server.output()).not.toContain(init.COSTKEEP_INIT_PASSWORD);

    // Later starts ignore the variables, even invalid ones.
    const later = { ...init, COSTKEEP_INIT_EMAIL: 'bob', COSTKEEP_INIT_PASSWORD: 'short' };
    const again = runProgram(['serve'], { ...env, ...later });
    await again.url;
    expect(again.output().match(/COSTKEEP_INIT_ variables are ignored/g)).toHaveLength(1);
    expect(await query('SELECT email FROM users')).toEqual([{ email: 'ana@example.com' }]);
  });

  it('create one organization when two servers start at the same time', async () => {
    const { env, query } = await anInstallation(inject('postgres').template);
    const token = newToken();
    const servers = [1, 2].map(() => runProgram(['serve'], { ...env, ...init, COSTKEEP_INIT_TOKEN: token }));
    const urls = await Promise.all(servers.map(({ url }) => url));
    expect(await query('SELECT name FROM organizations')).toEqual([{ name: 'Plum' }]);
    expect(await query('SELECT email FROM users')).toEqual([{ email: 'ana@example.com' }]);
    for (const url of urls) expect(await callApi(url, ['GET', '/org'], { token })).toMatchObject({ status: 200 });
    const said = servers.map((server) => server.output()).join('');
    expect(said.match(/was created/g)).toHaveLength(1);
    expect(said.match(/are ignored/g)).toHaveLength(1);
  });

  it('stop the start if they are invalid, with a line for each and without secrets', async () => {
    const { env, query } = await anInstallation(inject('postgres').template);
    const wrong = { COSTKEEP_INIT_EMAIL: 'ana', COSTKEEP_INIT_PASSWORD: 'hunter2', COSTKEEP_INIT_TOKEN: 'svc_mine' };
    const server = runProgram(['serve'], {
      ...env,
      ...init,
      ...wrong,
      LOG_LEVEL: 'warn',
      COSTKEEP_INIT_NAME: 'x'.repeat(101),
    });
    expect(await server.ended).toEqual({
      code: 78,
      output: [
        'COSTKEEP_INIT_EMAIL "ana" must be an address such as ana@example.com',
        'COSTKEEP_INIT_NAME must have 1 to 100 characters, not 101',
        'COSTKEEP_INIT_PASSWORD must have 8 to 128 characters, not 7',
        'COSTKEEP_INIT_TOKEN is not an API token; set it to the output of: npm run --silent token:new',
        '',
      ].join('\n'),
    });
    expect(await query('SELECT 1 FROM users')).toEqual([]);
  });

  it('have a command that generates a token', async () => {
    const { output, code } = await runProgram(['new-token'], {}).ended;
    expect({ output, code }).toEqual({ output: expect.stringMatching(/^svc_[0-9A-Za-z]{39}\n$/), code: 0 });
  });
});
