import { useRead } from './reading.js';

/** A QR code, always dark on light with its quiet zone, since many readers know no other. */

/** Modules that stay light around it, as the standard asks. */
const QUIET_ZONE = 4;

interface Props {
  readonly text: string;
  readonly label: string;
}

export function QrCode({ text, label }: Props) {
  const [code] = useRead(async () => (await import('uqr')).encode(text, { ecc: 'M', border: QUIET_ZONE }));
  if (code === null) return null;
  const { size, data } = code;
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
