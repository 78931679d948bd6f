import { SimpleGrid } from '@mantine/core';
import { FigureCard } from '../../parts/figure-card.tsx';
import { count, day } from '../../words/format.ts';
import type { Organization } from './queries.ts';

/** How many accounts and members there are, of those that the caller may see. */
export function CountsCard({
  organization: { accountCount, memberCount, createdAt },
}: {
  readonly organization: Organization;
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      <FigureCard label="Connected accounts" value={count(accountCount)} href="/accounts" />
      <FigureCard label="Members" value={count(memberCount)} href="/settings/members" />
      <FigureCard label="Since" value={day(createdAt)} />
    </SimpleGrid>
  );
}
