import { Group, type GroupProps } from '@mantine/core';
import { IconBrandAws, IconBrandAzure, IconBrandGoogle, IconCloud } from '@tabler/icons-react';
import { providerName } from '../../../kit/text/provider-name.ts';

const logos = { aws: IconBrandAws, azure: IconBrandAzure, gcp: IconBrandGoogle } as const;

/** Logo of a provider; a cloud for others. */
export function ProviderLogo({ slug, size = 15 }: { readonly slug: string; readonly size?: number }) {
  const Logo = Object.entries(logos).find(([key]) => key === slug.toLowerCase())?.[1] ?? IconCloud;
  return <Logo size={size} stroke={1.6} aria-hidden style={{ flex: 'none' }} />;
}

interface Props extends GroupProps {
  readonly slug: string;
  /** Text after the name, such as a region. */
  readonly more?: string | null | undefined;
  /** Name above it, such as that of the account. The provider is not named again if it is the same. */
  readonly below?: string;
}

/** Logo and name of a provider. */
export function Provider({ slug, more, below, ...rest }: Props) {
  const name = providerName(slug);
  return (
    <Group component="span" gap={5} wrap="nowrap" display="inline-flex" {...rest}>
      <ProviderLogo slug={slug} />
      {[more && name === below ? null : name, more].filter(Boolean).join(' · ')}
    </Group>
  );
}
