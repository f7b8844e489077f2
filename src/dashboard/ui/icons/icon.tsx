import { type ReactNode, type SVGProps } from 'react';

/** `size` is the width and height in pixels, `stroke` the width of the lines on a grid of 24 by 24. */
export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  size?: number;
  stroke?: number;
}

/** Decorates a text, or stands for one that its button names. */
export type Icon = (props: IconProps) => ReactNode;

/** An icon of lines in the colour of the text around it; `path` is that of an SVG path of 24 by 24. */
export function outlined(path: string): Icon {
  return ({ size = 24, stroke = 2, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    >
      <path d={path} />
    </svg>
  );
}

/** The same as an area. */
export function filled(path: string): Icon {
  return ({ size = 24, stroke: _, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="currentColor"
      {...rest}
    >
      <path d={path} />
    </svg>
  );
}
