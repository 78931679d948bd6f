import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { EngineFault, translate } from '../../../src/engine/failures.ts';
import { fillCube } from '../../support/cube.ts';
import { aWorld } from '../../support/world.ts';
import { aDetailedWorld } from './breakdown-world.ts';

const query = '/costs/export?format=focus_csv&start_date=2024-02-01&end_date=2024-03-31';

async function aWorldOfCosts() {
  const world = await aWorld({ clock: { now: () => new Date('2024-05-11T12:00:00Z') } });
  const { token } = await world.register();
  const { id } = await world.deps.db.organization.findFirstOrThrow();
  await fillCube(world.deps, aDetailedWorld(id));
  return { ...world, token };
}

it('allows 2 open exports per member', async () => {
  const { deps, rest, token } = await aWorldOfCosts();
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const write = vi.spyOn(deps.engine, 'write').mockImplementation(async () => {
    if (write.mock.calls.length === 2) started.resolve();
    await released.promise;
    // One for each export, which deletes it.
    const file = path.join(tmpdir(), randomUUID());
    await writeFile(file, 'x');
    return file;
  });
  const open = [rest('GET', query, { token }), rest('GET', query, { token })];
  await started.promise;
  const { status, headers, body } = await rest('GET', query, { token });
  expect([status, headers.get('retry-after')]).toEqual([429, '5']);
  expect(body).toMatchObject({
    error: {
      code: 'RATE_LIMITED',
      message:
        'At most 2 exports per member and 8 in total are open at a time; wait until a download ends, or cancel it',
    },
  });
  released.resolve();
  await Promise.all(open);
  write.mockRestore();
  // Slots are free once the files are deleted, right after the downloads.
  await expect.poll(async () => (await rest('GET', query, { token })).status).toBe(200);
});

it('refuses an export that would fill the disk', async () => {
  const { deps, rest, token } = await aWorldOfCosts();
  await deps.db.$executeRaw`UPDATE billing_periods SET facts = jsonb_set(facts, '{0,bytes}', '1e15')`;
  const { status, body } = await rest<{ error: { code: string; message: string } }>('GET', query, { token });
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(body.error.message).toMatch(/^The export needs \S+ \S+ on the disk of the server, which has \S+ \S+ free; /);
  expect(body.error.message).toContain(`make space in ${deps.config.dataDir}, or request fewer days or accounts`);
});

it('names the folder when the disk fills during an export', () => {
  const fault = new EngineFault('IO Error: Could not write file "/data/x.csv": No space left on device');
  expect(translate(fault, { memoryMiB: 256, dataDir: '/data' }, 'export')).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'The disk of the server is full; make space in /data, or move DATA_DIR to a larger disk',
  });
});
