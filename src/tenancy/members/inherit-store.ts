import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';

/** Every column that names who made a row. A table that gets one belongs here: what a removed member made passes to the
 *  Super Admin. */
const makers = [
  ['accounts', 'created_by'],
  ['invites', 'invited_by'],
] as const;

/** Passes everything that a user made in the organization to another.
 *  @returns rows that passed, by table; tables without any are absent */
export async function passOn(
  db: Db,
  organizationId: string,
  { from, to }: { from: string; to: string },
): Promise<Record<string, number>> {
  const passed: Record<string, number> = {};
  for (const [table, column] of makers) {
    const [name, maker] = [Prisma.raw(table), Prisma.raw(column)];
    const count = await db.$executeRaw`/* passOn */
      UPDATE ${name} SET ${maker} = ${to}::uuid
      WHERE organization_id = ${organizationId}::uuid AND ${maker} = ${from}::uuid`;
    if (count > 0) passed[table] = count;
  }
  return passed;
}
