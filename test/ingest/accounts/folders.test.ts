import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aLine, writeFocus } from '../../support/focus.ts';
import { worldOfFile } from '../../support/world.ts';

const base = mkdtempSync(path.join(tmpdir(), 'costkeep-folders-'));
afterAll(() => rmSync(base, { recursive: true }));
const at = worldOfFile({ config: { focusRoot: path.join(base, '{organization}') } });

it('limits an organization to its own folder, if FOCUS_ROOT names it', async () => {
  const { rest, register } = at();
  const [one, two] = [(await register()).token, (await register()).token];
  const idOf = async (token: string) => (await rest<{ id: string }>('GET', '/org', { token })).body.id;
  for (const token of [one, two]) await mkdir(path.join(base, await idOf(token), 'bills'), { recursive: true });
  await writeFocus(path.join(base, await idOf(one), 'bills/a.csv'), [aLine()]);
  const connect = (token: string, folder: string) =>
    rest('POST', '/accounts', { token, body: { name: folder, provider: 'focus', settings: { path: folder } } });
  expect(await connect(one, 'bills')).toMatchObject({ status: 201, body: { external_id: 'bills' } });
  expect(await connect(two, 'bills')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('contains no bills') } },
  });
  for (const folder of [`../${await idOf(one)}/bills`, await idOf(one)])
    expect((await connect(two, folder)).status).toBe(400);
});
