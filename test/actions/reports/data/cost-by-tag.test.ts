import { readXlsx } from 'hucre/xlsx';
import { expect, it } from 'vitest';
import { formatMoney } from '../../../../src/kit/text/format.ts';
import { readCsv } from '../../../support/rfc4180.ts';
import { readPdf } from '../pdf/read.ts';
import { aReportWorld } from '../world.ts';

interface ByTag {
  readonly total_cost: number;
  readonly groups: readonly { readonly tag_value: string | null; readonly cost: number }[];
}

const range = { start_date: '2024-04-01', end_date: '2024-04-30' };

it('has an Untagged row in every format, and rows that add up to the total', async () => {
  const world = await aReportWorld();
  const asked = new URLSearchParams({ ...range, tag_key: 'team' });
  const { body } = await world.as<ByTag>('ana', 'GET', `/costs/by-tag?${asked}`);
  const named = body.groups.map(({ tag_value: value, cost }) => [(value ?? 'Untagged') || '(empty)', cost]);
  expect(named).toContainEqual(['Untagged', expect.any(Number)]);
  expect(body.groups.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(body.total_cost, 5);

  const file = async (format: string) => {
    const made = await world.make({ type: 'cost_by_tag', format, ...range, filters: { tag_key: 'team' } });
    return (await world.fetch(made.id)).bytes;
  };
  const lines = readCsv((await file('csv')).toString());
  expect(lines.map((line) => [line['tag_value'], Number(line['cost'])])).toEqual(named);

  const json = JSON.parse((await file('json')).toString()) as { tables: { tag_values: { rows: object[] } } };
  expect(json.tables.tag_values.rows).toMatchObject(body.groups);

  const { sheets } = await readXlsx(new Uint8Array(await file('xlsx')));
  const [, ...cells] = sheets[0]?.rows.map(([value, cost]) => [value, cost]) ?? [];
  expect(cells).toEqual([...named, ['Total', body.total_cost]]);

  const texts = readPdf(await file('pdf')).flatMap((page) => page.lines.map(({ text }) => text));
  const untagged = body.groups.find(({ tag_value: value }) => value === null)?.cost ?? 0;
  expect(texts).toEqual(expect.arrayContaining(['Untagged', '(empty)', formatMoney(untagged, 'USD')]));
});
