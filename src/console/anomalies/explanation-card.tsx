import { List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Card } from '../parts/card.tsx';
import type { AnomalyDetails } from './queries.ts';

/** What happened, in words, and what to do. */
export function ExplanationCard({ anomaly }: { readonly anomaly: AnomalyDetails }) {
  const { summary, likelyCauses, nextSteps, source } = anomaly.explanation;
  const by =
    source === 'MODEL'
      ? 'Worded by a language model, from the figures below'
      : 'Worded by rules, from the figures below';
  return (
    <Card title="Explanation" note={by}>
      <Stack gap="md">
        <Text size="sm" maw={860}>
          {summary}
        </Text>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <Points title="Likely causes" points={likelyCauses} />
          <Points title="Next steps" points={nextSteps} isOrdered />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}

interface PointsProps {
  readonly title: string;
  readonly points: readonly string[];
  readonly isOrdered?: boolean;
}

function Points({ title, points, isOrdered = false }: PointsProps) {
  if (points.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h6" mb={6}>
        {title}
      </Title>
      <List size="sm" spacing={6} type={isOrdered ? 'ordered' : 'unordered'} withPadding={false} pl="lg">
        {points.map((point) => (
          <List.Item key={point}>{point}</List.Item>
        ))}
      </List>
    </div>
  );
}
