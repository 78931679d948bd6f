import { describe, expect, it } from 'vitest';
import { batchByMonth } from '../../../../src/ingest/sync/bills/batches.ts';
import { planSync, sourceToken } from '../../../../src/ingest/sync/bills/plan.ts';
import type { SourceFile } from '../../../../src/providers/contract.ts';
import type { RememberedFile } from '../../../../src/ingest/sync/source-store.ts';

function aFile(key: string, token = 'one'): SourceFile {
  const said = { month: null, snapshotAt: null, expectedRows: null, speaksFor: 'all' } as const;
  return { key, token, sizeBytes: 10, format: 'csv', ...said };
}

function remembered(key: string, months: string[], token = 'one'): RememberedFile {
  return { key, token, months };
}

describe('planSync', () => {
  it('reads every file the first time', () => {
    const plan = planSync([aFile('a.csv'), aFile('b.csv')], []);
    expect(plan.changed.map((file) => file.key)).toEqual(['a.csv', 'b.csv']);
    expect(plan.unchanged).toEqual([]);
    expect(plan.lostMonths).toEqual([]);
    expect(plan.removed).toEqual([]);
  });

  it('reads no file with an unchanged name and token', () => {
    const plan = planSync([aFile('a.csv')], [remembered('a.csv', ['2026-05'])]);
    expect(plan.changed).toEqual([]);
    expect(plan.unchanged).toEqual([{ file: aFile('a.csv'), months: ['2026-05'] }]);
    expect(plan.lostMonths).toEqual([]);
  });

  it('lists the months of removed files and the old months of changed ones as lost, each once, in order', () => {
    const plan = planSync(
      [aFile('a.csv', 'two')],
      [remembered('a.csv', ['2026-06', '2026-05']), remembered('b.csv', ['2026-05', '2026-04'])],
    );
    expect(plan.lostMonths).toEqual(['2026-04', '2026-05', '2026-06']);
    expect(plan.removed).toEqual(['b.csv']);
    expect(plan.monthsBefore.get('a.csv')).toEqual(['2026-06', '2026-05']);
  });

  it('treats a moved file as a new one and a removed one', () => {
    const plan = planSync([aFile('new.csv')], [remembered('old.csv', ['2026-05'])]);
    expect(plan.changed.map((file) => file.key)).toEqual(['new.csv']);
    expect(plan.removed).toEqual(['old.csv']);
  });
});

describe('batchByMonth', () => {
  it('keeps files without a common month separate, those of the newest month first', () => {
    const batches = batchByMonth([
      { file: 'may', months: ['2026-05'] },
      { file: 'june', months: ['2026-06'] },
      { file: 'april and july', months: ['2026-04', '2026-07'] },
    ]);
    expect(batches.map((batch) => batch.files)).toEqual([['april and july'], ['june'], ['may']]);
  });

  it('merges batches that share a later file', () => {
    const batches = batchByMonth([
      { file: 'may', months: ['2026-05'] },
      { file: 'july', months: ['2026-07'] },
      { file: 'june', months: ['2026-06'] },
      { file: 'may to june', months: ['2026-05', '2026-06'] },
    ]);
    expect(batches).toEqual([
      { files: ['july'], months: new Set(['2026-07']) },
      { files: ['may', 'june', 'may to june'], months: new Set(['2026-05', '2026-06']) },
    ]);
  });

  it('gives a file without months its own batch', () => {
    const batches = batchByMonth([
      { file: 'empty', months: [] },
      { file: 'also empty', months: [] },
    ]);
    expect(batches.map((batch) => batch.files)).toEqual([['empty'], ['also empty']]);
  });
});

describe('sourceToken', () => {
  it('does not depend on the order of the files', () => {
    expect(sourceToken([aFile('a'), aFile('b')])).toBe(sourceToken([aFile('b'), aFile('a')]));
  });

  it.each([
    ['another token', [aFile('a', 'two')]],
    ['another name', [aFile('b')]],
    ['one more file', [aFile('a'), aFile('b')]],
    ['no file', []],
  ])('differs with %s', (_name, files) => {
    expect(sourceToken(files)).not.toBe(sourceToken([aFile('a')]));
  });
});
