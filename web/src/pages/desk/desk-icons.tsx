/** Icons that the desk alone shows. */
import { Icon, type IconProps } from "../../ui/Icon.tsx";

export const RaisedIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M5 11l7-7 7 7M12 4v16" />
  </Icon>
);
export const ClockIcon = (props: IconProps) => (
  <Icon {...props}>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
);
export const HoldIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="5" y="11" width="14" height="9" rx="1.5" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </Icon>
);
