import type { Annotation as AnnotationRow, Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { endBeforeStart } from '../../kit/errors/refusals.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { dayOf, instantOf, type Day } from '../../kit/time/period.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { Annotation } from './annotation.ts';

/** Sort fields of annotations, in REST spelling. */
export const annotationSortFields = ['start_date', 'created_at'] as const;

/** Filters of a list of annotations; null means any. */
interface AnnotationsAsked {
  readonly startDate?: Day | null;
  readonly endDate?: Day | null;
  /** Annotations without an account match, too. */
  readonly accountId?: readonly string[] | null;
  readonly sortBy?: SortBy<typeof annotationSortFields> | null;
}

/** The annotations of organizations. Those without an account are visible to all members. */
export const annotations = new Records<AnnotationRow, Annotation>({
  noun: 'Annotation',
  plural: 'annotations',
  resourceType: 'annotation',
  limit: 10_000,
  model: (db) => db.annotation,
  visible: ({ organizationId, accountIds }): Prisma.AnnotationWhereInput => ({
    organizationId,
    ...(accountIds && aboutAny(accountIds)),
  }),
  parse: ({ startDate, endDate, ...row }) => ({ ...row, startDate: dayOf(startDate), endDate: dayOf(endDate) }),
  details: ({ startDate, endDate }, accountId) => ({
    start_date: startDate,
    end_date: endDate,
    account_id: accountId,
  }),
});

function aboutAny(accountIds: readonly string[]): Prisma.AnnotationWhereInput {
  return { OR: [{ accountId: null }, { accountId: { in: [...accountIds] } }] };
}

/** Returns a page of selected annotations, latest start first by default.
 *  @throws {AppError} VALIDATION_ERROR naming the argument */
export function pageAnnotations(
  { db }: { readonly db: Db },
  scope: OrgScope,
  { startDate, endDate, accountId, sortBy }: AnnotationsAsked,
  page: PageRequest & { select: { id: true } },
): Rows {
  if (startDate && endDate && endDate < startDate) throw endBeforeStart(endDate, startDate);
  const filters = [
    startDate ? { endDate: { gte: instantOf(startDate) } } : {},
    endDate ? { startDate: { lte: instantOf(endDate) } } : {},
    accountId ? aboutAny(accountId.filter(isUuid)) : {},
  ];
  const sort = parseSort(sortBy, annotationSortFields) ?? { field: 'start_date', direction: 'desc' };
  return annotations.page(db, scope, { filters, sort }, page);
}
