import { describe, expect, it } from 'vitest';
import { Pages } from '../../../../src/actions/reports/pdf/pages.ts';
import { Sheet } from '../../../../src/actions/reports/pdf/sheet.ts';
import { aReport } from './sample.ts';

describe('the numbers of the pages', () => {
  it('are handed over while they are set: thousands at once would fill the memory', async () => {
    const pages = new Pages(new Sheet({}), aReport());
    for (let page = 1; page <= 60; page += 1) pages.next('portrait');
    let breaths = 0;
    await pages.finish(async () => {
      breaths += 1;
    });
    expect(breaths).toBe(3);
  });
});
