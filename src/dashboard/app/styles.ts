import './mantine.css';
import '@mantine/notifications/styles.css';
import './global.css';
import './starting.css';
