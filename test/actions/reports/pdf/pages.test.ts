import { describe, expect, it } from 'vitest';
import { Pages } from '../../../../src/actions/reports/pdf/pages.ts';
import { Sheet } from '../../../../src/actions/reports/pdf/sheet.ts';
import { aReport } from './sample.ts';

describe('page numbers', () => {
  it('are all written, in batches of at most 32 pages, because each pending page holds 16 KiB', async () => {
    const set: string[] = [];
    const pages = new Pages(watched(new Sheet({}), set), aReport());
    for (let page = 1; page <= 100; page += 1) pages.next('portrait');
    const taken = [0];
    await pages.finish(async () => {
      taken.push(set.length);
    });
    taken.push(set.length);
    expect(set).toEqual(Array.from({ length: 100 }, (_, index) => `Page ${index + 1} of 100`));
    expect(Math.max(...taken.slice(1).map((count, index) => count - (taken[index] ?? 0)))).toBeLessThanOrEqual(32);
  });
});

/** A sheet that records deferred texts. */
function watched(sheet: Sheet, set: string[]): Sheet {
  const later = sheet.later.bind(sheet);
  sheet.later = (...args) => {
    const write = later(...args);
    return (text) => {
      set.push(text);
      write(text);
    };
  };
  return sheet;
}
