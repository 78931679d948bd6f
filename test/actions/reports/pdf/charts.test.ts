import { expect, it } from 'vitest';
import type { Chart } from '../../../../src/actions/reports/document.ts';
import { aReport, pagesOf, textsOf } from './sample.ts';

const unit = { kind: 'money', currency: 'USD' } as const;

async function textsWith(...charts: Chart[]): Promise<string[]> {
  const pages = await pagesOf(aReport({ charts, sections: [] }));
  return pages.flatMap(textsOf);
}

it('ranks items as bars, and labels every figure', async () => {
  const items = [
    { label: 'EC2', value: 1000 },
    { label: 'Credits', value: -250.5 },
    { label: 'Other', value: 9000 },
  ];
  const texts = await textsWith({ kind: 'bars', title: 'Largest services', unit, items });
  expect(texts).toEqual(
    expect.arrayContaining(['Largest services', 'EC2', '$1,000.00', 'Credits', '−$250.50', 'Other', '$9,000.00']),
  );
});

it('draws shares with percentages of the total', async () => {
  const items = [
    { label: 'AWS', value: 750 },
    { label: 'Azure', value: 250 },
  ];
  const texts = await textsWith({ kind: 'share', title: 'Providers', unit, items });
  expect(texts).toEqual(expect.arrayContaining(['Total', '$1K', 'AWS', '75.0%', 'Azure', '25.0%']));
});

it('draws time series with an axis that covers every value', async () => {
  const points = ['2026-10-01', '2026-10-02', '2026-10-03'];
  const series = [
    { label: 'EC2', values: [10, null, 30] },
    { label: 'Credits', values: [-5, 0, null] },
  ];
  const stacked = await textsWith({ kind: 'stacked', title: 'Daily cost', unit, points, series });
  expect(stacked).toEqual(expect.arrayContaining(['EC2', 'Credits', '−$10', '$0', '$30', 'Oct 1', 'Oct 2', 'Oct 3']));
  const lines = await textsWith({ kind: 'lines', title: 'Daily cost', unit, points, series });
  expect(lines).toEqual(expect.arrayContaining(['−$10', '$30']));
});

it('draws empty, zero and very large charts without NaN', async () => {
  const points = Array.from({ length: 1_101 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
  );
  const many = points.map((_, index) => 1e14 * Math.sin(index));
  const texts = await textsWith(
    { kind: 'share', title: 'Nothing spent', unit, items: [{ label: 'AWS', value: 0 }] },
    { kind: 'bars', title: 'Zero', unit, items: [{ label: 'AWS', value: 0 }] },
    { kind: 'bars', title: 'No items', unit, items: [] },
    { kind: 'stacked', title: 'Three years', unit, points, series: [{ label: 'AWS', values: many }] },
    { kind: 'lines', title: 'One day', unit, points: ['2026-10-01'], series: [{ label: 'AWS', values: [null] }] },
    { kind: 'lines', title: 'No days', unit, points: [], series: [] },
  );
  expect(texts).toEqual(expect.arrayContaining(['Nothing spent', 'Zero', 'Three years', 'One day', 'Jan 2024']));
  expect(texts).not.toContain('No items');
  expect(texts).not.toContain('No days');
});
