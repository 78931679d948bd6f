import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { dataSets } from './data/all.ts';
import type { Fact, ReportDocument } from './document.ts';
import type { Filters } from './filters.ts';
import { formatWord } from './format.ts';
import { reportTitles } from './kinds.ts';
import { readMasthead, type Report } from './store.ts';

/** Names that a line of the cover has room for. */
const mostNames = 8;

/** Composes a report's document; its rows are read as they are written.
 *  @param scope never more than the report is about
 *  @throws {AppError} VALIDATION_ERROR when it cannot be asked any more */
export async function composeReport(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  report: Pick<Report, 'type' | 'startDate' | 'endDate' | 'filters'>,
): Promise<ReportDocument> {
  const { organization, currency, accounts } = await readMasthead(deps.db, scope);
  const accountNames = new Map(accounts.map(({ id, name }) => [id, name]));
  const content = await dataSets[report.type]({ deps, scope, report, currency, accountNames });
  return {
    ...content,
    title: reportTitles[report.type],
    organization,
    currency,
    period: { start: report.startDate, end: report.endDate },
    generatedAt: deps.clock.now(),
    filters: filterFacts(report.filters, accountNames),
  };
}

function filterFacts(filters: Filters, accountNames: ReadonlyMap<string, string>): Fact[] {
  return Object.entries(filters).flatMap(([name, value]) => {
    if (value === null) return [];
    const values = (Array.isArray(value) ? value : [value]).map(String);
    if (name === 'account_id')
      return [{ label: 'Accounts', value: listed(values.map((id) => accountNames.get(id) ?? id)) }];
    return [{ label: formatWord(name), value: listed(values.map((each) => (each === 'true' ? 'yes' : each))) }];
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}
