import {
  IconBrandAirtable,
  IconBrandAsana,
  IconBrandBitbucket,
  IconBrandCloudflare,
  IconBrandDiscord,
  IconBrandDropbox,
  IconBrandFigma,
  IconBrandGithub,
  IconBrandGitlab,
  IconBrandGmail,
  IconBrandGoogleDrive,
  IconBrandIntercom,
  IconBrandLinkedin,
  IconBrandMonday,
  IconBrandNotion,
  IconBrandOpenai,
  IconBrandSentry,
  IconBrandSlack,
  IconBrandSpotify,
  IconBrandStripe,
  IconBrandTeams,
  IconBrandVercel,
  IconBrandZoom,
  IconBox,
  IconCalendar,
  IconMail,
  IconTable,
  type TablerIcon,
} from '@tabler/icons-react';
import classes from './app-mark.module.css';

const MARKS: Readonly<Record<string, TablerIcon>> = {
  airtable: IconBrandAirtable,
  asana: IconBrandAsana,
  bitbucket: IconBrandBitbucket,
  cloudflare: IconBrandCloudflare,
  discord: IconBrandDiscord,
  dropbox: IconBrandDropbox,
  figma: IconBrandFigma,
  github: IconBrandGithub,
  gitlab: IconBrandGitlab,
  gmail: IconBrandGmail,
  google_calendar: IconCalendar,
  google_drive: IconBrandGoogleDrive,
  google_sheets: IconTable,
  intercom: IconBrandIntercom,
  linkedin: IconBrandLinkedin,
  microsoft_outlook: IconMail,
  microsoft_teams: IconBrandTeams,
  monday: IconBrandMonday,
  notion: IconBrandNotion,
  openai: IconBrandOpenai,
  sandbox_api_key: IconBox,
  sandbox_oauth: IconBox,
  sentry: IconBrandSentry,
  slack: IconBrandSlack,
  spotify: IconBrandSpotify,
  stripe: IconBrandStripe,
  vercel: IconBrandVercel,
  zoom: IconBrandZoom,
};

/** The logo of an application, `size` in pixels: the brand's icon if the icon set has it, otherwise the first letter. */
export function AppMark({ type, name, size = 30 }: { type: string; name: string; size?: number }) {
  const Icon = Object.hasOwn(MARKS, type) ? MARKS[type] : undefined;
  return (
    <span className={classes.mark} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {Icon === undefined ? firstLetter(name) : <Icon size={size * 0.6} stroke={1.7} />}
    </span>
  );
}

function firstLetter(name: string): string {
  return String.fromCodePoint(name.codePointAt(0) ?? 32).toUpperCase();
}
