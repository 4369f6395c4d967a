import { encode } from 'uqr';

/** Width of the white margin that QR code readers need, in modules. */
const MARGIN = 4;

/**
 * A text as a QR code, drawn in the browser so that no other service receives the text. Black on white in every theme,
 * as readers require.
 */
export const QrCode = ({ text, label, className }: { text: string; label: string; className?: string | undefined }) => {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const whole = size + 2 * MARGIN;
  return (
    <svg
      className={className}
      viewBox={`${-MARGIN} ${-MARGIN} ${whole} ${whole}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={whole} height={whole} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
};
