import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeLeftovers } from '../../../src/ingest/sync/leftovers.ts';
import { newId } from '../../../src/kit/ids.ts';
import { billsOfFile } from '../world.ts';

const bills = billsOfFile();

it('deletes the folders of killed syncs and of old commands, and keeps those in use', async () => {
  const { deps, accountId, scope } = await bills();
  const { organizationId } = scope;
  await deps.db.accountSync.create({ data: { accountId, organizationId, status: 'running' } });
  const killed = newId(new Date());
  const places = [accountId, killed, 'ingest-new', 'ingest-old'].map((name) =>
    path.join(deps.config.dataDir, 'jobs', name),
  );
  for (const place of places) {
    mkdirSync(path.join(place, 'spill'), { recursive: true });
    writeFileSync(path.join(place, 'spill', 'data'), 'x');
  }
  const yesterday = Date.now() / 1000 - 90_000;
  utimesSync(places[3] ?? '', yesterday, yesterday);
  await removeLeftovers(deps);
  expect(places.map((place) => existsSync(place))).toEqual([true, false, true, false]);
});
