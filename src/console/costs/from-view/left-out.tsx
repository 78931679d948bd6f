import { Alert } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';

interface Props {
  /** Kind of record that is created, such as "budget". */
  readonly noun: string;
  /** Names of the filters, shared costs and cost metric that it cannot have. */
  readonly left: readonly string[];
}

/** Lists the parts of a cost view that a form does not support. */
export function LeftOut({ noun, left }: Props) {
  if (left.length === 0) return null;
  return (
    <Alert
      color="yellow"
      icon={<IconFilterOff size={18} aria-hidden />}
      title="The view applies only in part"
      role="status"
    >
      A {noun} cannot use these parts of the view: {left.join(', ')}. Its cost will differ from that of the view.
    </Alert>
  );
}
