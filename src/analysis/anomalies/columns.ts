import type { AnomalyKind } from './episodes.ts';
import type { Prose } from './explanation/compose.ts';
import type { AnomalyFacts } from './explanation/facts.ts';
import type { ChartDay } from './finding.ts';
import type { Severity } from './severity.ts';

// Columns that the database knows as text or JSON, in the types of what evaluations, which alone write them, write.

/** The kind of an anomaly from its column. */
export function kindOf(kind: string): AnomalyKind {
  return kind as AnomalyKind;
}

/** The severity of an anomaly from its column. */
export function severityOf(severity: string): Severity {
  return severity as Severity;
}

/** The days of an anomaly from their column. */
export function seriesOf(series: unknown): readonly ChartDay[] {
  return series as readonly ChartDay[];
}

/** What explains an anomaly, from its columns. */
export function explainedOf({ facts, prose }: { facts: unknown; prose: unknown }): {
  facts: AnomalyFacts;
  prose: Prose | null;
} {
  return { facts: facts as AnomalyFacts, prose: prose as Prose | null };
}
