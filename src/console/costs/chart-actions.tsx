import { IconCopy, IconDownload, IconFileTypeCsv, IconPhoto } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { ranked } from '../charts/legend.tsx';
import { done } from '../parts/form/dialog.tsx';
import { OneField } from '../parts/form/fields.tsx';
import { ActMenu } from '../parts/form/menu.tsx';
import { downloadCsv, useDownload } from '../parts/list/csv.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { days } from '../words/format.ts';
import type { charts } from './address.ts';
import { tabbed } from './chart-table.tsx';
import { dimensionName, useValueLabel } from './dimensions.ts';
import { filterWords } from './filters/filter-bar.tsx';
import { metricChoices, seriesCsv } from './filters/toolbar.tsx';
import type { Chart, Ghost } from './stacks.ts';
import type { CostsView } from './use-costs.ts';

const shapes = [
  { value: 'bar', label: 'Bars' },
  { value: 'line', label: 'Lines' },
  { value: 'area', label: 'Areas' },
  { value: 'cumulative', label: 'Cumulative' },
  { value: 'table', label: 'Table' },
] as const satisfies readonly { value: (typeof charts)[number]; label: string }[];

const comparison = { colour: 'var(--ink-soft)', isLine: true };

/** Text for a picture: cost metric, currency, filters, and the number of hidden series. */
function usePictureDetails({ question, currency, chart }: CostsView, visible: Chart): string {
  const { filters, metric, includesShared } = question;
  const valueLabel = useValueLabel(filters.map(({ dimension }) => dimension));
  const hidden = chart.series.length - visible.series.length;
  return [
    `${metricChoices.find(({ value }) => value === metric)?.label} in ${currency}`,
    includesShared && 'shared costs included',
    ...filters.flatMap((filter) =>
      filter.values.map((value) => Object.values(filterWords(filter, value, valueLabel)).join(' ')),
    ),
    hidden > 0 && `${hidden} of ${chart.series.length} series hidden`,
  ]
    .filter(Boolean)
    .join('; ');
}

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
  readonly shape: (typeof charts)[number];
  readonly frame: RefObject<HTMLDivElement | null>;
  /** The chart without hidden series. */
  readonly visible: Chart;
  /** The comparison line, if it is shown. */
  readonly against: Ghost | null;
}

/** Choice of the chart type, and export as a table, picture or CSV. */
export function ChartActions({ state, view, shape, frame, visible, against }: Props) {
  const { question, before } = view;
  const details = usePictureDetails(view, visible);
  const { from, to } = question.range;
  const name = `costs-over-time-${from}-${to}`;
  const saving = useDownload('The chart could not be saved');
  const copy = async () => {
    await navigator.clipboard.writeText(tabbed({ ...visible, granularity: question.granularity }));
    done('Table copied');
  };
  const svg = () => frame.current?.querySelector('svg') ?? null;
  const picture = async () => {
    const found = svg();
    if (!found) return;
    const grouping = question.groups[0] === 'day' ? '' : ` by ${dimensionName(question.groups[0])}`;
    const title = `Costs over time${grouping}, ${days(from, to)}`;
    const line = against && before && { key: '', label: days(before.range.from, before.range.to), ...comparison };
    const { savePng } = await import('../charts/png.ts');
    await savePng({ svg: found, title, details, legend: [...ranked(visible.series), ...(line ? [line] : [])], name });
  };
  return (
    <>
      <OneField
        aria-label="Chart type"
        choices={shapes}
        value={shape}
        onChange={(next) => state.set({ chart: next === 'bar' ? null : next })}
        w={124}
        size="xs"
      />
      <ActMenu
        label="Export"
        button={{ Icon: IconDownload, loading: saving.isBusy }}
        items={[
          { label: 'Copy as table', Icon: IconCopy, onClick: () => saving.start(copy) },
          shape !== 'table' && { label: 'PNG', Icon: IconPhoto, onClick: () => saving.start(picture) },
          {
            label: 'CSV',
            Icon: IconFileTypeCsv,
            onClick: () => saving.start(() => downloadCsv(seriesCsv(question), `${name}.csv`)),
          },
        ]}
      />
    </>
  );
}
