import type { Day } from '../../kit/period.ts';
import type { Finding } from './finding.ts';

/** What tells an anomaly that is kept from others. */
export interface KeptAnomaly {
  readonly id: string;
  readonly provider: string;
  readonly service: string;
  readonly currency: string;
  readonly startDate: Day;
  readonly endDate: Day;
}

/** What of the anomalies that are kept still holds. */
export interface Matching<Kept> {
  /** Found for the first time. */
  readonly created: readonly Finding[];
  /** Known, with what is found of it now. */
  readonly known: readonly { readonly kept: Kept; readonly finding: Finding }[];
  /** No longer found. */
  readonly ended: readonly Kept[];
}

/** Puts findings and kept anomalies together. A restatement may move the days of an anomaly: it is the one of its series that
 *  starts on the same day, or else the first that shares a day with it.
 *  @param kept those that start in the judged days */
export function matchFindings<Kept extends KeptAnomaly>(
  kept: readonly Kept[],
  findings: readonly Finding[],
): Matching<Kept> {
  const left = new Map(kept.map((row) => [row.id, row]));
  const matched = new Map<Finding, Kept>();
  for (const fits of [startsWith, overlaps]) {
    for (const finding of findings) {
      if (matched.has(finding)) continue;
      const row = [...left.values()].find((each) => isOfSeries(each, finding) && fits(each, finding));
      if (row === undefined) continue;
      matched.set(finding, row);
      left.delete(row.id);
    }
  }
  return {
    created: findings.filter((finding) => !matched.has(finding)),
    known: [...matched].map(([finding, row]) => ({ kept: row, finding })),
    ended: [...left.values()],
  };
}

function isOfSeries(kept: KeptAnomaly, finding: Finding): boolean {
  return kept.provider === finding.provider && kept.service === finding.service && kept.currency === finding.currency;
}

function startsWith(kept: KeptAnomaly, finding: Finding): boolean {
  return kept.startDate === finding.startDate;
}

function overlaps(kept: KeptAnomaly, finding: Finding): boolean {
  return kept.startDate <= finding.endDate && kept.endDate >= finding.startDate;
}
