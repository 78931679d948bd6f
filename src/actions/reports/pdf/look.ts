/** Colours of the pages: those of the mails, and of charts a row that stays apart for colour-blind readers. */
export const colors = {
  ink: '#14213a',
  soft: '#5a6780',
  faint: '#8a96ab',
  line: '#dce2ec',
  shade: '#f5f7fb',
  accent: '#1c4fb8',
  tint: '#eaf0fc',
  paper: '#ffffff',
  /** On `ink`. */
  onInk: '#ffffff',
  softOnInk: '#b9c5dc',
  notice: '#fff7e6',
  noticeLine: '#e8a72b',
  /** What is left when the large parts are named. */
  other: '#b4bdcc',
} as const;

const series = [
  '#2f6fdb',
  '#12a18f',
  '#f0a030',
  '#8757d6',
  '#e0607a',
  '#57aee0',
  '#7d8f2c',
  '#b5582d',
  '#46587a',
  '#d0b53c',
] as const;

/** The colour of a chart's n-th part, from 0; what is called `Other` is grey. */
export function seriesColor(index: number, label: string): string {
  return label === 'Other' ? colors.other : (series[index % series.length] ?? colors.other);
}

/** Lengths in points, 1/72 inch. */
export const page = {
  /** A4. */
  short: 595.28,
  long: 841.89,
  side: 44,
  /** Where content starts on pages with a running head. */
  top: 62,
  /** What is left free for the footer. */
  bottom: 54,
} as const;
