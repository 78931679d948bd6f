import { Kbd, Select, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { Dialog } from '../parts/dialog.tsx';
import { findable } from './finder-places.ts';
import classes from './shell.module.css';

const keys = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

/** Goes to a page, an account or a service's costs by its name: by a button, or by keys from anywhere. */
export function Finder() {
  const [isOpen, { open, close }] = useDisclosure();
  // In fields too: the keys write nothing.
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <UnstyledButton className={classes.find} onClick={open} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} stroke={1.7} aria-hidden />
        Go to…
        <Kbd size="xs" ml="auto" visibleFrom="md">
          {keys}
        </Kbd>
      </UnstyledButton>
      {isOpen && <FinderDialog onClose={close} />}
    </>
  );
}

function FinderDialog({ onClose }: { onClose(): void }) {
  const { role } = useMe();
  const [, go] = useLocation();
  const accounts = useAccountChoices();
  const { services } = useCostChoices();
  const data = useMemo(() => findable({ role, accounts, services }), [role, accounts, services]);
  const follow = (href: string | null) => {
    onClose();
    if (href) go(href);
  };
  return (
    // The page that is gone to takes the focus; else it goes back by itself.
    <Dialog opened onClose={onClose} title="Go to" centered={false} yOffset="12vh" returnFocus={false}>
      <Select
        aria-label="Page, account or service"
        placeholder="Page, account or service"
        data-autofocus
        searchable
        selectFirstOptionOnChange
        dropdownOpened
        limit={60}
        maxDropdownHeight={360}
        nothingFoundMessage="Nothing is called that"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={null}
        data={data}
        value={null}
        onChange={follow}
        // Its list takes the key before the dialog does.
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      />
    </Dialog>
  );
}
