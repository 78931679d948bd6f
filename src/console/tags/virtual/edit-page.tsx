import { Group, SimpleGrid, Text } from '@mantine/core';
import { IconLock, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useMe } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { costsHref } from '../../costs/address.ts';
import { useValueLabel } from '../../costs/dimensions.ts';
import { usePeople } from '../../parts/choices/choices.tsx';
import { ConfirmButton, done } from '../../parts/form/dialog.tsx';
import { changesSince } from '../../parts/form/changed-fields.ts';
import { Act } from '../../parts/form/menu.tsx';
import { Card, Facts } from '../../parts/page/card.tsx';
import { Empty, Page, RecordPage, usePolling } from '../../parts/page/page.tsx';
import { money, moment, percent } from '../../words/format.ts';
import {
  CreateVirtualTag,
  DeleteVirtualTag,
  UpdateVirtualTag,
  VirtualTagQuery,
  type VirtualTagRow,
} from '../queries.ts';
import { draftOf, inputOf, newDraft, type Draft } from './draft.ts';
import { VirtualTagForm } from './form.tsx';
import { State, useMayChange } from './page.tsx';
import { conditionsWords, isEvaluating, methods, ruleValueWords } from './words.ts';

const crumbs = [
  ['Tags', '/tags'],
  ['Virtual tags', '/tags/virtual'],
] as const;

/** Page for a new virtual tag. */
export function NewVirtualTagPage() {
  const [initial] = useState(newDraft);
  const [, go] = useLocation();
  const mayChange = useMayChange();
  const create = useAct(CreateVirtualTag);
  const save = async (draft: Draft) => {
    const input = { ...inputOf(draft), ...(draft.key !== '' && { key: draft.key }) };
    if (!(await create.act({ input }))) return;
    done('Virtual tag created. Costs are being evaluated.');
    go('/tags/virtual');
  };
  return (
    <Page title="New virtual tag" crumbs={crumbs} lead="Rules give every charge a value, such as a team or a product.">
      {mayChange ? (
        <VirtualTagForm initial={initial} isStored={false} verb="Create virtual tag" of={create} onSubmit={save} />
      ) : (
        <Empty
          icon={IconLock}
          title="Virtual tags apply to all accounts"
          text="You have access to some accounts only. Ask an Admin with access to all accounts."
        />
      )}
    </Page>
  );
}

/** Page of a virtual tag: a form, or its rules without write permission. */
export function VirtualTagPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(VirtualTagQuery, { id });
  const mayChange = useMayChange();
  usePolling(answer, ({ virtualTag }) => virtualTag !== null && isEvaluating(virtualTag), 3000);
  return (
    <RecordPage
      of={answer}
      record={({ virtualTag }) => virtualTag}
      noun="virtual tag"
      crumbs={crumbs}
      titleOf={({ name }) => name}
      leadOf={(tag) => <Lead tag={tag} />}
      actionsOf={(tag) => <Actions tag={tag} />}
    >
      {(tag) => (mayChange ? <Edit key={tag.id} tag={tag} /> : <ReadOnly tag={tag} />)}
    </RecordPage>
  );
}

interface Props {
  readonly tag: VirtualTagRow;
}

function Lead({ tag }: Props) {
  const { currency } = useMe().organization;
  const { coveragePercent, unallocatedCost } = tag;
  return (
    <Group component="span" gap="xs">
      <State tag={tag} />
      {coveragePercent !== null && unallocatedCost !== null && (
        <span>
          {percent(coveragePercent)} allocated, {money(unallocatedCost, currency)} unallocated in the last 30 days
        </span>
      )}
    </Group>
  );
}

function Actions({ tag: { id, key, name, enabled } }: Props) {
  const [, go] = useLocation();
  const mayChange = useMayChange();
  return (
    <>
      {enabled && <Act label="Explore costs" href={costsHref({ group: `virtual:${key}` })} />}
      {mayChange && (
        <ConfirmButton
          label="Delete"
          button={{ leftSection: <IconTrash size={15} aria-hidden /> }}
          title="Delete this virtual tag?"
          verb="Delete virtual tag"
          text={`“${name}” is deleted. Costs can no longer be grouped or filtered by it. This cannot be undone. To keep it, disable it.`}
          mutation={DeleteVirtualTag}
          variables={{ id }}
          confirmation="Virtual tag deleted."
          onDone={() => go('/tags/virtual', { replace: true })}
        />
      )}
    </>
  );
}

function Edit({ tag }: Props) {
  // Keeps the first version, on which the edits are based: the tag is refetched during editing.
  const [{ initial, updatedAt }] = useState(() => ({
    initial: draftOf({ ...tag, rules: tag.rules ?? [] }),
    updatedAt: tag.updatedAt,
  }));
  const [, go] = useLocation();
  const update = useAct(UpdateVirtualTag);
  const save = async (draft: Draft) => {
    const input = changesSince(updatedAt, inputOf(initial), inputOf(draft));
    if (Object.keys(input).length > 0) {
      if (!(await update.act({ id: tag.id, input }))) return;
      done('Virtual tag saved. Changed rules are being evaluated.');
    }
    go('/tags/virtual');
  };
  return <VirtualTagForm initial={initial} isStored verb="Save" of={update} onSubmit={save} />;
}

/** Read-only view of a virtual tag. Members with access to some accounts only do not see its rules. */
function ReadOnly({ tag }: Props) {
  const personName = usePeople();
  const { key, description, defaultValue, rules, splits, createdAt, createdById } = tag;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      {rules && <RulesView rules={rules} />}
      <Card title="General">
        <Facts
          facts={[
            ['Key', key],
            ['Description', description || null],
            ['Default value', defaultValue],
            ...(splits ?? []).map(
              ({ name, method, sourceValues }) =>
                [`Split ${name}`, `${sourceValues.join(', ')} · ${methods[method].label}`] as const,
            ),
            ['Created', moment(createdAt)],
            ['Created by', personName(createdById)],
          ]}
        />
      </Card>
    </SimpleGrid>
  );
}

function RulesView({ rules }: { readonly rules: NonNullable<VirtualTagRow['rules']> }) {
  const labelOf = useValueLabel();
  const { rules: drafts } = draftOf({ name: '', rules });
  return (
    <Card title="Rules" note="The first rule that matches a charge sets its value">
      <ol style={{ margin: 0, paddingLeft: 24 }}>
        {drafts.map((rule) => (
          <li key={rule.id}>
            <Text component="span" size="sm" fw={600}>
              {ruleValueWords(rule)}
            </Text>
            <Text size="sm" c="dimmed">
              {conditionsWords(rule.conditions, labelOf)}
            </Text>
          </li>
        ))}
      </ol>
    </Card>
  );
}
