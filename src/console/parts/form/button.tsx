import { Button, Text, type ButtonProps, type ElementProps, type TextProps } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

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

interface MutedProps extends Omit<TextProps, 'c'> {
  readonly role?: 'status';
  readonly children: ReactNode;
}

/** Small grey text. */
export function Muted(props: MutedProps) {
  return <Text size="sm" c="dimmed" {...props} />;
}
