import { ActionIcon, Menu, Button, Text, type ButtonProps, type ElementProps, type TextProps } from '@mantine/core';
import { IconChevronDown, IconDots, type Icon as TablerIcon } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';

interface Item {
  readonly label: string;
  readonly Icon?: TablerIcon;
  /** Link target, if it is a link. */
  readonly href?: string;
  readonly onClick?: () => void;
  /** Whether it is destructive. */
  readonly danger?: boolean;
}

interface Props {
  /** Accessible name of the button. */
  readonly label: string;
  /** Look of a button with the label; without it, three dots. */
  readonly button?: Pick<ActProps, 'Icon' | 'loading' | 'primary'>;
  /** Menu items; `-` is a divider, falsy items are hidden. */
  readonly items: readonly (Item | '-' | false | null)[];
}

/** Menu of actions on something. */
export function ActMenu({ label, button, items }: Props) {
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        {button ? (
          <Act label={label} {...button} rightSection={<IconChevronDown size={15} aria-hidden />} />
        ) : (
          <ActionIcon variant="subtle" color="gray" aria-label={label}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => {
          if (!item) return null;
          return item === '-' ? <Menu.Divider key="-" /> : <ItemOf key={item.label} {...item} />;
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function ItemOf({ label, Icon, href, onClick, danger = false }: Item) {
  const shared = {
    leftSection: Icon && <Icon size={16} aria-hidden />,
    ...(danger && { color: 'var(--bad)' }),
  };
  return href ? (
    <Menu.Item component={Link} href={href} {...shared}>
      {label}
    </Menu.Item>
  ) : (
    <Menu.Item onClick={onClick} {...shared}>
      {label}
    </Menu.Item>
  );
}

interface ActProps extends Omit<ButtonProps, 'leftSection' | 'children'>, ElementProps<'button', keyof ButtonProps> {
  readonly label: ReactNode;
  readonly Icon?: TablerIcon | undefined;
  /** Makes it a link. */
  readonly href?: string | undefined;
  /** The main action of its place. */
  readonly primary?: boolean;
}

/** Button, or link that looks like one. */
export function Act({ label, Icon, href, primary = false, type = 'button', ...rest }: ActProps) {
  const shared = {
    variant: primary ? 'filled' : 'default',
    ...(Icon && { leftSection: <Icon size={rest.size === 'md' ? 18 : 15} aria-hidden /> }),
    ...rest,
  };
  if (href === undefined)
    return (
      <Button type={type} {...shared}>
        {label}
      </Button>
    );
  const { onClick: _, ...look } = shared;
  return (
    <Button {...(look as ButtonProps)} component={Link} href={href}>
      {label}
    </Button>
  );
}

/** Maximum number of entries of a menu without a search field. */
const fewEntries = 10;
/** Maximum number of entries shown. */
const mostEntries = 200;

/** Search field of a menu of named records, and those that it shows. With few records there is no field. */
export function useMenuSearch<Row extends { readonly name: string }>(
  rows: readonly Row[],
  label: string,
): [found: readonly Row[], field: ReactNode] {
  const [text, setText] = useState('');
  if (rows.length <= fewEntries) return [rows, null];
  const wanted = text.trim().toLowerCase();
  const found = rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const field = (
    <>
      <Menu.Search
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {found.length === 0 && <Menu.Label>Nothing found</Menu.Label>}
      {found.length > mostEntries && <Menu.Label>First {mostEntries} shown; type to find others</Menu.Label>}
    </>
  );
  return [found.slice(0, mostEntries), field];
}

interface MutedProps extends Omit<TextProps, 'c'> {
  readonly role?: 'status';
  readonly children: ReactNode;
}

/** Small grey text. */
export function Muted(props: MutedProps) {
  return <Text size="sm" c="dimmed" {...props} />;
}
