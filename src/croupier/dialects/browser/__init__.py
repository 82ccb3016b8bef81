"""The dialect of people in a browser: JSON lines between the website's process and the table."""
