import { Anchor, Breadcrumbs, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { UrlState } from '../parts/url-state.ts';
import { crumbsOf, type Crumb } from './drill.ts';
import type { Question } from './question.ts';
import { useValueLabel } from './value-label.ts';

/** The levels of the drill-down; each but the last leads back. */
export function Crumbs({ state, question }: { readonly state: UrlState; readonly question: Question }) {
  const labelOf = useValueLabel();
  const crumbs = crumbsOf(state, question);
  if (crumbs.length === 0) return null;
  const textOf = ({ dimension, value }: Crumb) =>
    dimension === null || value === null ? 'All costs' : labelOf(dimension, value);
  return (
    <Breadcrumbs component="nav" aria-label="Drill-down" separator="›" separatorMargin={6} style={{ flexWrap: 'wrap' }}>
      {crumbs.map((crumb, index) =>
        index === crumbs.length - 1 ? (
          <Text key={crumb.search} size="sm" aria-current="true" truncate maw={420}>
            {textOf(crumb)}
          </Text>
        ) : (
          <Anchor key={crumb.search} component={Link} href={`/costs${crumb.search}`} size="sm" truncate maw={320}>
            {textOf(crumb)}
          </Anchor>
        ),
      )}
    </Breadcrumbs>
  );
}
