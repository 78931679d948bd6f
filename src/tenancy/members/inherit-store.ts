import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';

/** Every column that names who made a row. A table that gets one belongs here: what a removed member made passes to the
 *  Super Admin. */
const makers = [
  ['accounts', 'created_by'],
  ['invites', 'invited_by'],
  ['tag_policies', 'created_by_id'],
] as const;

/** Passes everything that a user made in the organization to another. */
export async function passOn(
  db: Db,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const [table, column] of makers) {
    const [name, maker] = [Prisma.raw(table), Prisma.raw(column)];
    await db.$executeRaw`/* passOn */
      UPDATE ${name} SET ${maker} = ${to}::uuid
      WHERE organization_id = ${organizationId}::uuid AND ${maker} = ${from}::uuid`;
  }
}
