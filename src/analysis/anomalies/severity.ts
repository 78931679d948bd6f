/** How much an anomaly matters. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

const impactSteps = [10, 100, 1000];
const ratioSteps = [0.5, 2];
const severities = ['low', 'medium', 'medium', 'high', 'critical', 'critical'] as const;

/** One point each for an impact of 10, 100 and 1,000 times the least that is alerted ($100, $1,000 and $10,000), and for an
 *  excess of 50 % and of 200 %. No point is low, one or two medium, three high, more critical.
 *  @param impact what was paid beyond the expectation, in all
 *  @param expected what was expected, in all; 0 for a new service
 *  @param minimumImpact the least impact a day that is alerted */
export function severityOf(impact: number, expected: number, minimumImpact: number): Severity {
  const ratio = expected > 0 ? impact / expected : Infinity;
  const points =
    impactSteps.filter((step) => impact >= step * minimumImpact).length +
    ratioSteps.filter((step) => ratio >= step).length;
  return severities[points] ?? 'critical';
}
