void trim_system_anchor(void);
