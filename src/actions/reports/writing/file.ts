import type pg from 'pg';
import type { Deps } from '../../../kit/deps.ts';
import { orgScope, type OrgScope } from '../../../tenancy/auth/scope.ts';
import { ownerScope } from '../../../tenancy/auth/owner-scope.ts';
import { composeReport } from '../compose.ts';
import { FileSink, ReportGone } from '../file-sink.ts';
import type { Report } from '../store.ts';
import { loadReport } from '../store.ts';
import { writerOf } from '../writers/all.ts';
import type { Written } from './protocol.ts';

type FileDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>;

/** Writes a report's file, as its owner may see it now.
 *  @param client writes its parts
 *  @throws {ReportGone} when it is deleted meanwhile; {AppError} when it cannot be asked any more */
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

/** What its owner sees now, and no more than the report is about. Who has left has passed it on: nobody is left only where
 *  the organization is going. */
async function scopeOf({ db }: FileDeps, organizationId: string, report: Report): Promise<OrgScope> {
  const { createdBy: createdById, accountIds } = report;
  const owned = { createdById, inheritedScope: accountIds ?? [], isInherited: accountIds !== null };
  return (await ownerScope(db, organizationId, owned)) ?? orgScope(organizationId, []);
}
