/** The logo of the product: a railway signal with a raised arm. @param size width and height, in pixels */
export const Logo = ({ size = 22, armColour = '#f2f5f8' }: { size?: number; armColour?: string | undefined }) => (
  <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" focusable="false">
    <rect width="16" height="16" rx="3.5" fill="#263340" />
    <path d="M5 1.75V16" stroke="#8d9dac" strokeWidth="1.75" fill="none" />
    <g transform="translate(5 8) rotate(-38)">
      <path d="M-2.4-2.1H10v4.2H-2.4z" fill="#263340" />
      <path d="M-2-1.5h7.6v3H-2zM6.7-1.5h2.3v3H6.7z" fill={armColour} />
    </g>
  </svg>
);
