import { SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import { FigureCard } from '../parts/figure-card.tsx';
import { money } from '../words/format.ts';
import { words } from '../words/names.ts';
import type { RecommendationDetails } from './queries.ts';
import { typeName } from './types.ts';

const sureness: Readonly<Record<RecommendationDetails['confidence'], string>> = {
  HIGH: 'by the account’s own bills',
  MEDIUM: 'by a documented share of its cost',
  LOW: 'at most this much, or look into it first',
};

/** What it saves, how sure that is, what came of it, and what it is about. */
export function Figures({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { estimatedMonthlySavings, currency, confidence, resource, type } = recommendation;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: recommendation.status === 'APPLIED' ? 4 : 3 }} spacing="sm">
      <FigureCard
        label="Saves a month"
        value={money(estimatedMonthlySavings, currency)}
        below={`${money(estimatedMonthlySavings * 12, currency)} a year`}
      />
      {recommendation.status === 'APPLIED' && <Realized recommendation={recommendation} />}
      <FigureCard label="Confidence" value={words(confidence)} below={sureness[confidence]} />
      <FigureCard
        label={resource ? 'Resource' : 'Type'}
        value={resource ? <ResourceName resource={resource} /> : typeName(type)}
        below={resource ? typeName(type) : 'about charges without a resource'}
      />
    </SimpleGrid>
  );
}

function ResourceName({ resource }: { readonly resource: NonNullable<RecommendationDetails['resource']> }) {
  const { id, name } = resource;
  return id ? <Link href={`/inventory/${id}`}>{name}</Link> : name;
}

function Realized({ recommendation }: { readonly recommendation: RecommendationDetails }) {
  const { realizedMonthlySavings, currency } = recommendation;
  return (
    <FigureCard
      label="Realized a month"
      value={realizedMonthlySavings === null ? '–' : money(realizedMonthlySavings, currency)}
      below={realizedMonthlySavings === null ? 'known once later days are billed' : 'by the bills since it was applied'}
    />
  );
}
