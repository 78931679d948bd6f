import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, forbidden } from '../../kit/errors/errors.ts';
import { parseChange, parseRecord } from '../../kit/record-fields.ts';
import { instantOf } from '../../kit/time/period.ts';
import type { Author } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import {
  annotationFields,
  daysOf,
  type Annotation,
  type AnnotationChange,
  type AnnotationInput,
  type Days,
} from './annotation.ts';
import { annotations } from './store.ts';

type AnnotationDeps = Pick<Deps, 'db' | 'clock'>;

/** Adds an annotation, owned by the caller.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN without an account if the caller has access to some only */
export async function createAnnotation(
  deps: AnnotationDeps,
  viewer: Viewer,
  actor: Actor,
  input: AnnotationInput,
): Promise<Annotation> {
  const by = { viewer, actor, now: deps.clock.now() };
  return deps.db.$transaction((db) => addAnnotation(db, by, input));
}

/** Adds an annotation within a transaction.
 *  @throws {AppError} as `createAnnotation` */
export async function addAnnotation(db: Db, by: Author, input: AnnotationInput): Promise<Annotation> {
  const { startDate, endDate, ...data } = parseRecord(annotationFields, input);
  const days = stored(daysOf(startDate, endDate));
  return annotations.add(db, by, { ...data, ...days });
}

/** Updates the given fields of an annotation.
 *  @throws {AppError} as `createAnnotation`; NOT_FOUND; VALIDATION_ERROR when nothing is given; FORBIDDEN for anyone but the owner
 *    and Admins */
export async function updateAnnotation(
  deps: AnnotationDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: AnnotationChange & { readonly id: string },
): Promise<Annotation> {
  const data = parseChange(annotationFields, change);
  return deps.db.$transaction(async (db) => {
    const before = await annotations.lock(db, viewer.scope, id);
    checkChangeable(viewer, before);
    const { startDate, endDate } = { ...before, ...data };
    const isEndKept = data.endDate === undefined;
    const days = stored(daysOf(startDate, endDate, isEndKept));
    const by = { viewer, actor, now: deps.clock.now() };
    return annotations.change(db, by, before, {
      data: { ...data, ...days },
      changed: Object.keys(data),
      ifUnmodifiedSince,
    });
  });
}

/** Deletes an annotation.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for anyone but the owner and Admins, and for one about the organization if the caller
 *    has access to some accounts only */
export async function deleteAnnotation(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const annotation = await annotations.lock(tx, viewer.scope, id);
    checkChangeable(viewer, annotation);
    await annotations.remove(tx, viewer.scope, actor, annotation);
  });
}

/** Checks that the caller may change or delete a visible annotation: owners may, and Admins. One about the organization
 *  requires access to all accounts, too.
 *  @throws {AppError} FORBIDDEN */
function checkChangeable({ userId, role, scope }: Viewer, { id, createdById, accountId }: Annotation): void {
  if (createdById !== userId && role !== 'admin' && role !== 'super_admin')
    throw forbidden`Annotation "${id}" belongs to another member${fix}ask them or an Admin`;
  if (accountId === null && scope.accountIds !== null)
    throw forbidden`Annotation "${id}" is about the organization, but you have access to some accounts only${fix}ask an Admin with access to all`;
}

function stored({ startDate, endDate }: Days) {
  return { startDate: instantOf(startDate), endDate: instantOf(endDate) };
}
