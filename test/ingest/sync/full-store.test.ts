import { expect, it, vi } from 'vitest';
import { aLine } from '../../support/focus.ts';
import { billsOfFile, monthsOf, type Bills } from '../world.ts';

const bills = billsOfFile();

async function keysOf({ deps }: Bills): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of deps.factStore.list()) keys.push(key);
  return keys.sort();
}

it('leaves no files of a month that the store cannot hold completely, and reports the reason', async () => {
  const account = await bills();
  await account.put('a.csv', [aLine({ day: '2026-05-03', cost: '1' })]);
  await account.sync();
  const before = await keysOf(account);
  await account.put('a.csv', [aLine({ day: '2026-05-03', cost: '2' })]);
  const { factStore } = account.deps;
  const put = factStore.put.bind(factStore);
  const spy = vi.spyOn(factStore, 'put').mockImplementation(async (key, path) => {
    if (key.includes('-month-')) throw new Error('ENOSPC: no space left on device');
    await put(key, path);
  });
  await expect(account.sync()).rejects.toThrow('ENOSPC: no space left on device');
  expect(await keysOf(account)).toEqual(before);
  expect(await monthsOf(account)).toEqual({ '2026-05': '1' });

  // Reports the first failure, not that of the cleanup.
  const remove = vi.spyOn(factStore, 'remove').mockRejectedValue(new Error('away'));
  await expect(account.sync()).rejects.toThrow('ENOSPC: no space left on device');
  remove.mockRestore();
  spy.mockRestore();
  await account.sync();
  expect(await monthsOf(account)).toEqual({ '2026-05': '2' });
});
