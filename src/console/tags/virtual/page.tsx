import { IconTags } from '@tabler/icons-react';
import { useMay, useMe } from '../../api/me.tsx';
import { OnSwitch } from '../../parts/form/dialog.tsx';
import { onOrOff, useList } from '../../parts/list/definition.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import { TwoLines, type Column } from '../../parts/list/table.tsx';
import { Money, Status } from '../../parts/page/card.tsx';
import { Empty, usePolling } from '../../parts/page/page.tsx';
import { percent } from '../../words/format.ts';
import { UpdateVirtualTag, VirtualTagsQuery, type VirtualTagRow } from '../queries.ts';
import { TagsTabs } from '../tabs.tsx';
import { isEvaluating } from './words.ts';

const list = {
  csv: ['/virtual-tags', 'virtual-tags'],
  sort: 'name',
  filters: {
    enabled: onOrOff('show', 'Virtual tags shown', [
      { value: 'enabled', label: 'Enabled' },
      { value: 'disabled', label: 'Disabled' },
    ]),
  },
} as const;

/** Virtual tags with the share of cost that they allocate. */
export function VirtualTagsPage() {
  const tags = useList(list, VirtualTagsQuery);
  usePolling(tags.answer, () => tags.rows.some(isEvaluating), 2000);
  const { currency } = useMe().organization;
  const mayWrite = useMayChange();
  const newButton = mayWrite && <NewButton href="/tags/virtual/new">New virtual tag</NewButton>;
  return (
    <ListPage
      title="Virtual tags"
      lead="Rules that give every charge a value, to group and filter costs by."
      actions={newButton}
      tabs={<TagsTabs />}
      list={tags}
      columns={columnsOf(currency, mayWrite)}
      hrefOf={({ id }) => `/tags/virtual/${id}`}
      noun={['virtual tag']}
      empty={
        <Empty
          icon={IconTags}
          title="No virtual tags"
          text="A virtual tag allocates all costs to values such as teams or products, by rules instead of tags on resources."
          action={newButton}
        />
      }
    />
  );
}

/** Whether the caller can change virtual tags, which apply to all accounts. */
export function useMayChange(): boolean {
  const { accountAccess } = useMe();
  return useMay('virtual_tags.write') && accountAccess === null;
}

function columnsOf(currency: string, mayWrite: boolean): Column<VirtualTagRow>[] {
  return [
    {
      title: 'Virtual tag',
      grow: true,
      sortBy: 'name',
      cell: ({ name, key }) => <TwoLines top={name} below={key} />,
    },
    {
      title: 'Allocated',
      align: 'right',
      cell: allocated,
    },
    {
      title: 'Unallocated',
      align: 'right',
      hideOn: 'phone',
      cell: ({ unallocatedCost }) => <Money value={unallocatedCost} currency={currency} />,
    },
    { title: 'Splits', hideOn: 'tablet', cell: ({ splits }) => splits?.map(({ name }) => name).join(', ') || '–' },
    { title: 'Status', hideOn: 'phone', cell: (tag) => <State tag={tag} /> },
    {
      title: 'Enabled',
      cell: (tag) => (
        <OnSwitch
          row={tag}
          mutation={UpdateVirtualTag}
          mayWrite={mayWrite}
          confirmation={(isOn) => (isOn ? 'Enabled. Costs are being evaluated.' : 'Disabled.')}
        />
      ),
    },
  ];
}

/** The share of cost that a virtual tag allocates; an enabled one without costs has not been computed in time. */
function allocated({ enabled, coveragePercent, unallocatedCost }: VirtualTagRow) {
  if (enabled && unallocatedCost === null) return 'Not available';
  return coveragePercent === null ? '–' : percent(coveragePercent);
}

/** Progress of the evaluation. */
export function State({ tag }: { readonly tag: VirtualTagRow }) {
  if (!tag.enabled) return <Status value="DISABLED" tone="quiet" />;
  if (!isEvaluating(tag)) return <Status value="READY" tone="good" />;
  const done = tag.evaluatedPercent ?? 0;
  return <Status value="EVALUATING" tone="busy" label={`Evaluating ${percent(Math.floor(done), 0)}`} />;
}
