import { Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { tagKeyHref } from '../tags/address.ts';
import { inventoryHref } from './address.ts';

/** The tags of a resource: the key leads to its costs, the value to what else has it. */
export function TagsCard({ tags }: { readonly tags: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(tags).map(([key, value]) => [key, String(value ?? '')] as const);
  return (
    <Card title="Tags">
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          No tags.
        </Text>
      ) : (
        <Facts facts={entries.map(([key, value]) => [key, <TagValue key={key} tagKey={key} value={value} />])} />
      )}
    </Card>
  );
}

function TagValue({ tagKey, value }: { readonly tagKey: string; readonly value: string }) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      {value === '' ? (
        <Text size="sm" c="dimmed">
          Empty
        </Text>
      ) : (
        <Link href={inventoryHref({ tagKey, tagValue: value })} aria-label={`Resources with ${tagKey} ${value}`}>
          {value}
        </Link>
      )}
      <Link href={tagKeyHref(tagKey)} aria-label={`Costs by ${tagKey}`}>
        Costs
      </Link>
    </Group>
  );
}
