import { Group, Stack, Tabs, Text } from '@mantine/core';
import { Card } from '../parts/card.tsx';
import { CodeBlock } from '../parts/copy.tsx';
import { Status } from '../parts/status.tsx';
import type { RecommendationDetails } from './queries.ts';

type Script = RecommendationDetails['remediationScripts'][number];

const kinds: Readonly<Record<Script['kind'], string>> = {
  AWS_CLI: 'AWS CLI',
  AZURE_CLI: 'Azure CLI',
  GCLOUD: 'gcloud CLI',
  TERRAFORM: 'Terraform',
  SHELL: 'Shell',
};

/** Ways to carry it out. Nothing here runs them. */
export function ScriptsCard({ scripts }: { readonly scripts: readonly Script[] }) {
  if (scripts.length === 0) {
    return (
      <Card title="How to carry it out">
        <Text size="sm" c="dimmed">
          This takes more than a command: the description says what to look into.
        </Text>
      </Card>
    );
  }
  return (
    <Card title="How to carry it out" note="Costkeep runs none of it. Read a script before you run it yourself.">
      <Tabs defaultValue="0" keepMounted={false}>
        <Tabs.List aria-label="Scripts">
          {scripts.map((script, index) => (
            <Tabs.Tab key={tabName(scripts, script)} value={String(index)}>
              {tabName(scripts, script)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {scripts.map((script, index) => (
          <Tabs.Panel key={tabName(scripts, script)} value={String(index)} pt="sm">
            <Panel script={script} name={tabName(scripts, script)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  );
}

/** What runs it; numbered where several are run by the same. */
function tabName(scripts: readonly Script[], script: Script): string {
  const alike = scripts.filter(({ kind }) => kind === script.kind);
  return alike.length === 1 ? kinds[script.kind] : `${kinds[script.kind]} ${alike.indexOf(script) + 1}`;
}

function Panel({ script, name }: { readonly script: Script; readonly name: string }) {
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm" fw={550}>
          {script.title}
        </Text>
        {script.reversible ? (
          <Status value="REVERSIBLE" tone="good" label="Can be undone" />
        ) : (
          <Status value="IRREVERSIBLE" tone="bad" label="Cannot be undone" />
        )}
      </Group>
      <CodeBlock code={script.script} label={`script for ${name}`} />
    </Stack>
  );
}
