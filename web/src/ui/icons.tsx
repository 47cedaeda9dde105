/** The icons of calls and records, and those of the public pages. */
import { Icon, type IconProps } from "./Icon.tsx";

export { ArrowIcon, CloseIcon, ExternalIcon, PlayIcon, StopIcon } from "./public-icons.tsx";

export const PhoneIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M6.5 3.5h3l1.5 4.5-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2A17 17 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2z" />
  </Icon>
);
export const MessageIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-9l-5 4v-4H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8 11h.2M12 11h.2M16 11h.2" />
  </Icon>
);
export const HangUpIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M3 14.5c0-5 18-5 18 0v1.8a1 1 0 0 1-1.2 1l-3.5-.7a1 1 0 0 1-.8-1v-2a13 13 0 0 0-7 0v2a1 1 0 0 1-.8 1l-3.5.7a1 1 0 0 1-1.2-1z" />
  </Icon>
);
export const MicrophoneIcon = (props: IconProps) => (
  <Icon {...props}>
    <rect x="9" y="3" width="6" height="11" rx="3" />
    <path d="M5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21" />
  </Icon>
);
export const MicrophoneOffIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M9 9v2a3 3 0 0 0 5 2.2M15 10V6a3 3 0 0 0-5.7-1.3M5.5 11a6.5 6.5 0 0 0 10.8 4.9M18.5 11c0 1-.2 1.9-.6 2.7M12 17.5V21M4 3l16 18" />
  </Icon>
);
export const AlertIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.2" />
  </Icon>
);
export const CheckIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);
