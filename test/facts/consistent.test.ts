import { beforeAll, describe, expect, it } from 'vitest';
import { readThenWrite } from '../../src/facts/consistent.ts';
import type { Database } from '../../src/kit/database/open.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { fillCube } from '../support/cube.ts';
import { freshDatabase } from '../support/database.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const accountId = '01890000-0000-7000-8000-00000000000a';
const scope = orgScope(organizationId, null);

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  const accounts = [{ id: accountId, name: 'one', completeThrough: '2024-05-09' as const }];
  await fillCube(database, { organizationId, currency: 'USD', accounts, lines: [], rates: [], identifiers: [] });
});

const load = () => database.pool.query('UPDATE accounts SET version = version + 1 WHERE id = $1', [accountId]);

/** Loads the account during the first `loads` reads. */
async function evaluate(loads: number) {
  const steps: string[] = [];
  let reads = 0;
  const written = await readThenWrite(database, scope, accountId, {
    async read() {
      reads += 1;
      if (reads <= loads) await load();
      steps.push(`read ${reads}`);
      return reads;
    },
    async write(_client, read, { completeThrough, currency }) {
      steps.push(`write ${read}`);
      return { read, completeThrough, currency };
    },
    done: async (read) => void steps.push(`done ${read}`),
  });
  return { written, steps };
}

describe('readThenWrite', () => {
  it('writes once after reading', async () => {
    expect(await evaluate(0)).toEqual({
      written: { read: 1, completeThrough: '2024-05-09', currency: 'USD' },
      steps: ['read 1', 'write 1', 'done 1'],
    });
  });

  it('reads again when the account was loaded in between', async () => {
    const { written, steps } = await evaluate(2);
    expect(written).toMatchObject({ read: 3 });
    expect(steps).toEqual(['read 1', 'done 1', 'read 2', 'done 2', 'read 3', 'write 3', 'done 3']);
  });

  it('leaves it to the evaluation of the next load if the account is loaded during every read', async () => {
    const { written, steps } = await evaluate(3);
    expect(written).toBeNull();
    expect(steps.filter((step) => step.startsWith('write'))).toEqual([]);
  });

  it('writes nothing for a deleted account or one of another organization', async () => {
    const read = () => Promise.reject(new Error('Nothing is to be read'));
    const work = { read, write: read };
    expect(await readThenWrite(database, scope, organizationId, work)).toBeNull();
    expect(await readThenWrite(database, orgScope(accountId, null), accountId, work)).toBeNull();
  });

  it('rolls back a failed write, and leaves the account unlocked', async () => {
    const done: number[] = [];
    const failing = readThenWrite(database, scope, accountId, {
      read: () => Promise.resolve(7),
      async write(client) {
        await client.query("UPDATE accounts SET name = 'half' WHERE id = $1", [accountId]);
        throw new Error('Broken');
      },
      done: async (read) => void done.push(read),
    });
    await expect(failing).rejects.toThrow('Broken');
    expect(done).toEqual([7]);
    const { rows } = await database.pool.query('SELECT name FROM accounts WHERE id = $1', [accountId]);
    expect(rows).toEqual([{ name: 'one' }]);
    expect((await evaluate(0)).written).not.toBeNull();
  });
});
