import type pg from 'pg';
import { keyDimension, virtualKeyOf } from '../../../facts/costs/dimensions.ts';
import type { Deps } from '../../../kit/deps.ts';
import { providerName } from '../../../kit/text/provider-name.ts';
import { type OrgScope, orgScope } from '../../../tenancy/auth/scope.ts';
import { dataSets } from '../data/all.ts';
import { type Fact, formatWord, inWords, onPaper, type ReportDocument, type ReportWriter } from '../document.ts';
import type { Filters } from '../filters.ts';
import { titleOf, type ReportFormat } from '../kinds.ts';
import { loadReport, readMasthead, type Report } from '../store.ts';
import { ownerScope } from '../../../tenancy/auth/owner-scope.ts';
import { FileSink, ReportGone } from '../file-store.ts';
import type { Written } from './process.ts';

/** Document writers by format, loaded on demand. */
const writers: Readonly<Record<ReportFormat, () => Promise<ReportWriter>>> = {
  csv: async () => (await import('../writers/text.ts')).writeCsv,
  async xlsx() {
    const { writeXlsx } = await import('../xlsx/write.ts');
    return (document, out) => writeXlsx(inWords(document), out);
  },
  async pdf() {
    const { writePdf } = await import('../pdf/write.ts');
    return (document, out) => writePdf(onPaper(document), out);
  },
  json: async () => (await import('../writers/text.ts')).writeJson,
};

/** Returns the writer of a format. */
function writerOf(format: ReportFormat): Promise<ReportWriter> {
  return writers[format]();
}

/** Maximum number of names on a line of the cover. */
const mostNames = 8;

/** Composes a report's document; its rows are read while they are written.
 *  @param scope at most the report's accounts
 *  @throws {AppError} VALIDATION_ERROR when its parameters are no longer valid */
async function composeReport(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  report: Pick<Report, 'type' | 'startDate' | 'endDate' | 'filters'>,
): Promise<ReportDocument> {
  const { organization, currency, accounts, hasOtherCurrencies } = await readMasthead(deps.db, scope);
  const accountNames = new Map(accounts.map(({ id, name }) => [id, name]));
  const request = { deps, scope, report, currency, hasOtherCurrencies, accountNames };
  const content = await dataSets[report.type](request);
  return {
    ...content,
    title: titleOf(report),
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
    if (name === 'provider') return [{ label: 'Provider', value: listed(values.map(providerName)) }];
    const virtualTag = name === 'tag_key' ? virtualKeyOf(keyDimension(String(value))) : null;
    if (virtualTag !== null) return [{ label: 'Virtual tag', value: virtualTag }];
    return [{ label: formatWord(name), value: listed(values.map((each) => (each === 'true' ? 'yes' : each))) }];
  });
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  return names.length > mostNames ? `${shown} and ${names.length - mostNames} more` : shown;
}

type FileDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;

/** Writes a report's file within its owner's current access.
 *  @param client connection for writing the parts
 *  @throws {ReportGone} when it is deleted in the meantime; {AppError} when its parameters are no longer valid */
export async function writeFile(
  deps: FileDeps,
  client: pg.ClientBase,
  { organizationId, reportId }: { readonly organizationId: string; readonly reportId: string },
): Promise<Written> {
  const report = await loadReport(deps.db, organizationId, reportId);
  if (!report) throw new ReportGone(`Report ${reportId} was deleted`);
  const scope = await scopeOf(deps, organizationId, report);
  const document = await composeReport(deps, scope, report);
  const sink = new FileSink(client, report.id);
  const write = await writerOf(report.format);
  await write(document, sink);
  const { accountIds } = scope;
  return { accountIds, sizeBytes: sink.size, sha256: sink.digest(), keyFigures: document.summary };
}

/** Returns the owner's current scope, limited to the report's accounts. Reports of former members have new owners, so an
 *  owner is only missing while the organization is being deleted. */
async function scopeOf({ db }: FileDeps, organizationId: string, report: Report): Promise<OrgScope> {
  const { createdBy: createdById, accountIds } = report;
  const owned = { createdById, inheritedScope: accountIds ?? [], isInherited: accountIds !== null };
  return (await ownerScope(db, organizationId, owned)) ?? orgScope(organizationId, []);
}
