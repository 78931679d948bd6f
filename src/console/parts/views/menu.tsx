import { Group, Menu, Text } from '@mantine/core';
import { IconBookmark, IconBookmarkPlus, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAllPages } from '../../api/all-pages.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { done, failed } from '../form/dialog.tsx';
import { Act, useMenuSearch } from '../form/menu.tsx';
import { useUrlState, type UrlState } from '../list/url-state.ts';
import { isSameQuery, pageHref, queryOfState, savedKey, viewHref, viewQuery } from './address.ts';
import { SavedViewsQuery, UpdateSavedView, type SavedView, type ViewPage } from './queries.ts';

const SaveDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).SaveDialog }));
const RenameDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).RenameDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import('./dialogs.tsx')).DeleteDialog }));

interface Props {
  readonly page: ViewPage;
}

type Opened = 'save' | 'rename' | 'delete' | null;

/** Saved views of a page: a button that saves the current address as a view, and a menu of all of them. */
export function Views({ page }: Props) {
  const state = useUrlState();
  const [, go] = useLocation();
  const [opened, open] = useState<Opened>(null);
  const [isWanted, want] = useState(false);
  const { views, current, isGone } = useViews(page, state, isWanted);
  const close = () => open(null);
  return (
    <Group gap="xs">
      {isGone && <Gone state={state} />}
      <ViewsMenu {...{ page, state, views, current }} onShow={() => want(true)} onOpen={open} />
      <Act label="Save view" Icon={IconBookmarkPlus} onClick={() => open('save')} />
      <Suspense>
        {opened === 'save' && (
          <SaveDialog
            page={page}
            query={queryOfState(state)}
            onDone={(id, query) => go(viewHref({ id, page, query }))}
            onClose={close}
          />
        )}
        {current && opened === 'rename' && <Rename view={current} onClose={close} />}
        {current && opened === 'delete' && (
          <DeleteDialog
            view={current}
            onDone={() => state.set({ [savedKey]: null }, { replace: true })}
            onClose={close}
          />
        )}
      </Suspense>
    </Group>
  );
}

function Rename({ view, onClose }: { readonly view: SavedView; onClose(): void }) {
  const { user } = useMe();
  return <RenameDialog view={view} isMine={view.createdById === user.id} onClose={onClose} />;
}

/** The views of a page, and the one that the address names.
 *  @param isWanted whether the menu was opened; until then, views are only loaded for the one of the address */
function useViews(page: ViewPage, state: UrlState, isWanted: boolean) {
  const id = state.one(savedKey);
  const { rows: views, isWhole } = useAllPages(
    SavedViewsQuery,
    { pages: [page], sortBy: 'NAME_ASC' },
    { pause: id === null && !isWanted },
  );
  const current = views?.find((view) => view.id === id) ?? null;
  return { views, current, isGone: id !== null && isWhole && current === null };
}

/** Says that the view of the address is gone; its filters, which the address has too, still apply. */
function Gone({ state }: { readonly state: UrlState }) {
  return (
    <Text size="sm" c="dimmed" role="status">
      View deleted or not shared with you. Its filters still apply.{' '}
      <Act label="Dismiss" size="compact-xs" onClick={() => state.set({ [savedKey]: null }, { replace: true })} />
    </Text>
  );
}

interface MenuProps extends Props {
  readonly state: UrlState;
  /** Null while they load. */
  readonly views: readonly SavedView[] | null;
  readonly current: SavedView | null;
  /** Called when the menu opens. */
  onShow(): void;
  onOpen(opened: Opened): void;
}

function ViewsMenu({ page, state, views, current, onShow, onOpen }: MenuProps) {
  const [found, search] = useMenuSearch(views ?? [], 'Find a view');
  const shared = found.filter(({ visibility }) => visibility === 'ORGANIZATION');
  const own = found.filter(({ visibility }) => visibility === 'PRIVATE');
  const onUpdate = useUpdate(current, state);
  return (
    <Menu position="bottom-end" withinPortal={false} shadow="md" width={280} onOpen={onShow}>
      <Menu.Target>
        <Act
          label={current?.name ?? 'Views'}
          aria-label={current ? `Views: ${current.name}` : 'Views'}
          Icon={IconBookmark}
          maw={220}
          rightSection={<IconChevronDown size={15} aria-hidden />}
        />
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {search}
        {views === null && <Menu.Label>Loading…</Menu.Label>}
        {views?.length === 0 && <Menu.Label>No saved views for this page yet</Menu.Label>}
        <Section label="Shared" views={shared} current={current} />
        <Section label="Only me" views={own} current={current} />
        <Menu.Divider />
        {onUpdate !== undefined && <CurrentItems onUpdate={onUpdate} onOpen={onOpen} />}
        <Menu.Item onClick={() => void copyLink()}>Copy link</Menu.Item>
        <Menu.Item component={Link} href={pageHref(page, {})}>
          Reset page
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface SectionProps extends Pick<MenuProps, 'current'> {
  readonly label: string;
  readonly views: readonly SavedView[];
}

function Section({ label, views, current }: SectionProps) {
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          component={Link}
          href={viewHref(view)}
          {...(view.id === current?.id && { rightSection: <IconCheck size={15} aria-label="Current view" /> })}
        >
          <Text inherit truncate maw={220}>
            {view.name}
          </Text>
        </Menu.Item>
      ))}
    </>
  );
}

interface CurrentProps extends Pick<MenuProps, 'onOpen'> {
  /** Saves the current address as the view; null if it is the same. */
  readonly onUpdate: (() => void) | null;
}

/** Actions on the current view. */
function CurrentItems({ onUpdate, onOpen }: CurrentProps) {
  return (
    <>
      {onUpdate && <Menu.Item onClick={onUpdate}>Update with the current filters</Menu.Item>}
      <Menu.Item onClick={() => onOpen('rename')}>Rename or share</Menu.Item>
      <Menu.Item color="var(--bad)" onClick={() => onOpen('delete')}>
        Delete view
      </Menu.Item>
    </>
  );
}

/** Returns the change of the current view: undefined for members who may not change it, null if nothing has changed. */
function useUpdate(view: SavedView | null, state: UrlState): (() => void) | null | undefined {
  const { role, user } = useMe();
  const { act, refusal } = useAct(UpdateSavedView);
  useEffect(() => {
    if (!refusal) return;
    // The filters are part of the address, so they survive the reload.
    const reason = refusal.isStale
      ? 'it was changed after you opened this page. Reload, then save again.'
      : refusal.message;
    failed(`The view was not saved: ${reason}`);
  }, [refusal]);
  if (!view || (view.createdById !== user.id && role !== 'ADMIN' && role !== 'SUPER_ADMIN')) return undefined;
  const query = queryOfState(state);
  if (isSameQuery(query, viewQuery(view.query))) return null;
  const save = async () => {
    if (await act({ id: view.id, input: { query, ifUnmodifiedSince: view.updatedAt } }))
      done(`View ${view.name} saved`);
  };
  return () => void save();
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    done('Link copied');
  } catch {
    // Not permitted, or a page without TLS.
    failed('The link could not be copied; copy it from the address bar');
  }
}
