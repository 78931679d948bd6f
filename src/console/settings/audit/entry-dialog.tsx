import { Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { moment } from '../../words/format.ts';
import { words } from '../../words/names.ts';
import { factsOf } from './facts.ts';
import type { Entry } from './queries.ts';

/** One entry, whole. */
export function EntryDialog({ entry, onClose }: { readonly entry: Entry; onClose(): void }) {
  const { action, timestamp, actor, ipAddress, userAgent, details } = entry;
  const said = factsOf(details).map(({ name, text }): Fact => [name, text]);
  return (
    <Dialog opened onClose={onClose} title={words(action)} size="lg">
      <Stack gap="md">
        <Facts
          facts={[
            ['When', moment(timestamp)],
            ['Who', actor.email ?? 'Nobody signed in'],
            ['On', <Thing key="on" entry={entry} />],
            ['IP address', ipAddress],
            ['User agent', userAgent || 'It sent none'],
            ...said,
          ]}
        />
        {said.length > 0 && <CodeBlock code={JSON.stringify(details, null, 2)} label="details as JSON" />}
      </Stack>
    </Dialog>
  );
}

function Thing({ entry: { resourceType, resourceId } }: { readonly entry: Entry }) {
  return (
    <>
      {words(resourceType)}
      {resourceId && (
        <Text size="xs" c="dimmed">
          {resourceId}
        </Text>
      )}
    </>
  );
}
